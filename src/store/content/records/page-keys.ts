/** The keys by which pages are found. */
import type { PageSummary } from "../../../model/page.ts";
import type { Space, Word } from "../record-type.ts";

/** By the id of their parent. */
export const CHILDREN: Space = "children";
/** Of a language. */
export const permalinksOf = spaces("permalinks");
export const aliasesOf = spaces("aliases");
/** Of a page model. */
export const identifiersOf = spaces("identifiers");

/** The name of an index for each language or model. */
function spaces(name: string): (of: string) => Space {
  const known = new Map<string, Space>();
  return (of) => {
    let space = known.get(of);
    if (space === undefined) known.set(of, (space = `${name} ${of}`));
    return space;
  };
}

/** Calls `take` with every key of a page, possibly more than once. */
export function eachKey(page: PageSummary, take: (space: Space, word: Word) => void): void {
  for (const lang in page.translations) {
    const { permalink } = page.translations[lang]!;
    if (permalink !== null) take(permalinksOf(lang), permalink);
  }
  for (const { language, from } of page.aliases) take(aliasesOf(language), from);
  if (page.identifier !== null) take(identifiersOf(page.model), page.identifier);
  // In a file it may be a name, which is no key.
  if (typeof page.parent_page === "number") take(CHILDREN, page.parent_page);
}
