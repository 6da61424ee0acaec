/** Ids of headings, which links with a fragment lead to: `#opening-hours`. */
import { slugify } from "./slug.ts";

/**
 * The ids of the headings of one text, in its order: slugs as those of permalinks. A repeated one gets the next free number
 * from 2, so each is there once.
 *
 * @param headings their texts, without markup
 * @returns letters, numbers, `-` and `_` only; "", which is no id, for a heading without any letter or number
 */
export function headingIds(headings: readonly string[]): string[] {
  const taken = new Set<string>();
  // Where the search for a free number goes on; without it, a text of equal headings would take quadratic time.
  const next = new Map<string, number>();
  return headings.map((heading) => {
    const slug = slugify(heading);
    if (slug === "") return "";
    let id = slug;
    for (let number = next.get(slug) ?? 2; taken.has(id); number++) {
      id = `${slug}-${number}`;
      next.set(slug, number + 1);
    }
    taken.add(id);
    return id;
  });
}
