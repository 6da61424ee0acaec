/** Content blocks of an import. */
import { IDENTIFIER_MAX, type Content } from "../../model/records/content.ts";
import { objectOf } from "../../model/input/json.ts";
import type { Id } from "../../model/input/id.ts";
import { CONTENTS } from "../../store/records/contents.ts";
import type { ImportedContent } from "../imported-site.ts";
import { compare, keepBeside, noteWritten, resolved, type ImportRun } from "../import-run.ts";

/** Stores the blocks. One that the site has already on the same page is replaced with `force` only. */
export function writeContents(run: ImportRun, contents: readonly ImportedContent[]): void {
  if (contents.length === 0) return;
  const { tx } = run.library;
  const keyOf = ({ identifier, page }: Pick<Content, "identifier" | "page">): string => `${page}\n${identifier}`;
  const present = new Map<string, Id>();
  for (const block of tx.all(CONTENTS)) if (!present.has(keyOf(block))) present.set(keyOf(block), block.id);
  for (const content of contents) {
    const block = writeContent(run, content, (each) => present.get(keyOf(each)));
    if (block) present.set(keyOf(block), block.id);
  }
}

function writeContent(
  run: ImportRun,
  content: ImportedContent,
  idOf: (block: Pick<Content, "identifier" | "page">) => Id | undefined,
): Content | undefined {
  const { tx, ctx } = run.library;
  const { source, place, entry } = content;
  const report = { source, kind: CONTENTS.name, title: content.identifier };
  const { outcome, row, from, isKept } = compare(run, report, { ...content, place: undefined });
  if (isKept) return undefined;
  const refuse = (reason: string): undefined => {
    keepBeside(run, place, { source, what: "content block", value: { ...content.texts } }, reason);
    run.report.add({ ...report, id: null, outcome: "failed" });
  };
  const page = entry === undefined ? null : run.ids.get(entry);
  const { identifier } = content;
  if (page === undefined) return refuse(`The page ${entry} of the block "${identifier}" is not imported.`);
  if (identifier === "" || identifier.length > IDENTIFIER_MAX)
    return refuse(`The block has no identifier of 1 to ${IDENTIFIER_MAX} characters.`);
  const known = outcome === "updated" && row ? row.id : undefined;
  const twin = idOf({ identifier, page });
  if (twin !== undefined && twin !== known && (!run.force || run.importedIds.has(twin)))
    return refuse(`The site has a block "${identifier}" here already. With --force it is replaced.`);
  const before = tx.find(CONTENTS, known ?? twin ?? 0);
  const texts = Object.entries(content.texts).filter(([lang]) => ctx.locales.codes.includes(lang));
  const block: Content = {
    id: before?.id ?? tx.newId(),
    identifier,
    page,
    content: {
      ...before?.content,
      ...objectOf(texts.map(([lang, text]) => [lang, resolved(run, lang, text)] as const)),
    },
  };
  noteWritten(run, source, CONTENTS.name, tx.put(CONTENTS, block).id, from);
  run.report.add({ ...report, id: block.id, outcome: before ? "updated" : "created" });
  return block;
}
