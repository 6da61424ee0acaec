/** The pages of long lists: `/posts/page/2/` leads to the list. How many there were follows from what the list had. */
import type { Lang } from "../../model/language/locale.ts";
import type { ImportedRedirect, SourceId } from "../imported-site.ts";
import { sourceLink } from "../texts/source-links.ts";
import type { Document } from "./documents.ts";
import type { List } from "./folder-pages.ts";
import type { Dialect } from "./generators/dialect.ts";

/** In one list: more addresses than that are left out. */
const PAGES_MAX = 200;

interface ListedPage {
  readonly folders: readonly string[];
  readonly lang: Lang;
  readonly served: string;
}

/** @param parents the page of each folder that has one */
export function listPageRedirects(
  { pagination, config }: Dialect,
  documents: readonly Document[],
  lists: ReadonlyMap<string, List>,
  parents: ReadonlyMap<string, SourceId>,
): ImportedRedirect[] {
  if (!pagination) return [];
  const { size, posts, pageOf } = pagination;
  const entries = documents.filter(
    ({ published, isIndex, isPost }) => published !== undefined && (posts === undefined ? !isIndex : isPost === true),
  );
  const listed: readonly ListedPage[] =
    posts !== undefined
      ? [{ folders: [], lang: config.defaultLang, served: posts }]
      : [
          ...documents.flatMap((each) => (each.isIndex ? [each] : [])),
          ...[...lists.values()].flatMap(({ folders, langs, served }) =>
            langs.map((lang, at) => ({ folders, lang, served: served[at]! })),
          ),
        ];
  return listed.flatMap(({ folders, lang, served }) => {
    const source = posts === undefined ? parents.get(folders.join("/")) : undefined;
    const to = source === undefined ? served : sourceLink(source, { lang });
    const count = entries.filter(
      (each) =>
        (posts !== undefined || each.lang === lang) && folders.every((name, depth) => each.folders[depth] === name),
    ).length;
    const pages = Math.min(PAGES_MAX, Math.ceil(count / size));
    return Array.from({ length: pages < 2 ? 0 : pages }, (_, at) => pageOf(served, at + 1)).flatMap((from) =>
      from === undefined ? [] : [{ place: { file: config.file || "." }, from, to }],
    );
  });
}
