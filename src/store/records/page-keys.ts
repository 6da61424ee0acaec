/** The keys by which pages are found. */
import type { PageSummary } from "../../model/page/page.ts";
import type { IndexName, IndexKey } from "./record-type.ts";

/** By the id of their parent. */
export const CHILDREN: IndexName = "children";
/** The names of indexes that each language has. */
export const permalinksOf = indexNames("permalinks");
export const aliasesOf = indexNames("aliases");
/** The name of an index that each page model has. */
export const identifiersOf = indexNames("identifiers");

/** The name of an index for each language or model. */
function indexNames(name: string): (of: string) => IndexName {
  const known = new Map<string, IndexName>();
  return (of) => {
    let index = known.get(of);
    if (index === undefined) known.set(of, (index = `${name} ${of}`));
    return index;
  };
}

/** Whether two versions of a page have the same keys. */
export function hasSameKeys(a: PageSummary, b: PageSummary): boolean {
  return (
    a.model === b.model &&
    a.identifier === b.identifier &&
    a.parent_page === b.parent_page &&
    (a.aliases === b.aliases ||
      (a.aliases.length === b.aliases.length &&
        a.aliases.every(({ language, from }, at) => {
          const other = b.aliases[at]!;
          return language === other.language && from === other.from;
        }))) &&
    hasPermalinksOf(a, b) &&
    hasPermalinksOf(b, a)
  );
}

function hasPermalinksOf(page: PageSummary, other: PageSummary): boolean {
  for (const lang in other.translations) {
    const { permalink } = other.translations[lang]!;
    if (permalink !== null && page.translations[lang]?.permalink !== permalink) return false;
  }
  return true;
}

/** Calls `take` with every key of a page, possibly more than once. `hasSameKeys` compares the same fields. */
export function eachKey(page: PageSummary, take: (index: IndexName, key: IndexKey) => void): void {
  for (const lang in page.translations) {
    const { permalink } = page.translations[lang]!;
    if (permalink !== null) take(permalinksOf(lang), permalink);
  }
  for (const { language, from } of page.aliases) take(aliasesOf(language), from);
  if (page.identifier !== null) take(identifiersOf(page.model), page.identifier);
  // In a file it may be a name, which is no key.
  if (typeof page.parent_page === "number") take(CHILDREN, page.parent_page);
}
