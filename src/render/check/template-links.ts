/** Addresses that are written out in templates, and lead to no page or file of the site. */
import type { Locales } from "../../model/language/locale.ts";
import type { Problem } from "../../model/text/problem.ts";
import type { Reader } from "../../store/records/record-type.ts";
import { judgeOf, partsOf, type Places } from "../../store/check/text-links.ts";

/** Without parts that an expression gives. */
const ADDRESS = /\b(?:href|src|poster)=(?:"(\/(?!\/)[^"{}<>]{0,2000})"|'(\/(?!\/)[^'{}<>]{0,2000})')/gi;
const COMMENTS: Readonly<Record<string, string>> = { "{#": "#}", "<!--": "-->" };

/** @param templates texts by path below `templates/` */
export function templateLinkProblems(
  content: Reader,
  locales: Locales,
  places: Places,
  templates: ReadonlyMap<string, string>,
): Problem[] {
  const judge = judgeOf(content, locales, places);
  return [...templates].flatMap(([name, text]) => {
    const shown = withoutComments(text);
    return [...shown.matchAll(ADDRESS)].flatMap((match): Problem[] => {
      const address = (match[1] ?? match[2])!;
      const { path } = partsOf(address);
      const found = judge(path);
      if (!("message" in found)) return [];
      const before = shown.slice(0, match.index + match[0].length - address.length - 1).split("\n");
      return [
        {
          path: `templates/${name}`,
          line: before.length,
          column: before.at(-1)!.length + 1,
          severity: "warning",
          rule: "dead-link",
          message: `${path}: ${found.message}`,
        },
      ];
    });
  });
}

/** The text with spaces for its comments, so that what follows keeps its place. */
function withoutComments(text: string): string {
  let shown = "";
  let done = 0;
  const openings = /\{#|<!--/g;
  for (let found = openings.exec(text); found; found = openings.exec(text)) {
    const end = text.indexOf(COMMENTS[found[0]]!, found.index);
    if (end < 0) break;
    shown += text.slice(done, found.index) + text.slice(found.index, end).replace(/[^\n]/g, " ");
    openings.lastIndex = done = end;
  }
  return shown + text.slice(done);
}
