/** The parts of an export as one: records that several parts have are there once, and each post has a number of its own. */
import { CmsError } from "../../errors.ts";
import { oldSite } from "../sources/old-addresses.ts";
import type { Remark } from "../imported-site.ts";
import type { WordPressExport, WordPressItem } from "./wxr.ts";

/**
 * @param parts at least one
 * @throws CmsError `invalid` for parts of different sites
 */
export function oneExport(parts: readonly WordPressExport[], remarks: Remark[]): WordPressExport {
  const [first] = parts as readonly [WordPressExport, ...WordPressExport[]];
  const other = parts.find(({ link }) => link !== first.link && !oldSite(first.link).locate(link));
  if (other)
    throw new CmsError(
      "invalid",
      `${other.link} is another site than ${first.link}: import each by itself, with --name.`,
    );
  return {
    ...first,
    authors: onceBy(
      parts.flatMap(({ authors }) => authors),
      ({ login }) => login,
    ),
    terms: onceBy(
      parts.flatMap(({ terms }) => terms),
      ({ taxonomy, slug }) => `${taxonomy} ${slug}`,
    ),
    items: numbered(
      parts.flatMap(({ items }) => items),
      remarks,
    ),
    unknownEntities: parts.flatMap(({ unknownEntities }) => unknownEntities),
  };
}

const onceBy = <T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] =>
  [...new Map([...items].reverse().map((item) => [keyOf(item), item] as const)).values()].reverse();

/** A second post with the number of another gets a new one: both are imported, and what names the number means the first. */
function numbered(items: readonly WordPressItem[], remarks: Remark[]): readonly WordPressItem[] {
  const known = new Map<number, WordPressItem>();
  let last = items.reduce((most, { id }) => Math.max(most, id), 0);
  return items.flatMap((item) => {
    const { id, file, line } = item;
    const before = known.get(id);
    if (before && isSame(before, item)) return [];
    if (id !== 0 && !before) {
      known.set(id, item);
      return [item];
    }
    const what = before ? `${before.file}:${before.line} has the number ${id}, too` : "It has no number";
    remarks.push({
      file,
      line,
      message: `${what}: "${item.title}" is imported beside it, and links by number do not lead here.`,
    });
    return [{ ...item, id: ++last }];
  });
}

/** Whether two parts have the same post. */
const isSame = (a: WordPressItem, b: WordPressItem): boolean =>
  JSON.stringify({ ...a, file: "", line: 0, contentLine: 0 }) ===
  JSON.stringify({ ...b, file: "", line: 0, contentLine: 0 });
