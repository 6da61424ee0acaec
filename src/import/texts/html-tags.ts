/** Changes to tags of an HTML text that leave every other character as it is. */
import { decodeEntities, encodeAttribute, htmlTokens, type HtmlToken } from "../../model/text/html-tokens.ts";

/** All tags, without comments. */
export const htmlTags = (html: string): readonly HtmlToken[] => htmlTokens(html).filter(({ name }) => name !== "");

/** The value of an attribute of a tag, with its entities decoded; undefined without it. */
export function attributeOf({ attributes }: HtmlToken, name: string): string | undefined {
  const found = attributes.find((each) => each.name === name);
  return found && decodeEntities(found.value);
}

/** Attributes with an address. `srcset` has several, and goes with the picture in `src`. */
const ADDRESSES: ReadonlySet<string> = new Set(["href", "src", "poster"]);
const SIZES: ReadonlySet<string> = new Set(["srcset", "sizes"]);

/**
 * The text with its addresses replaced. A tag whose `src` is replaced loses `srcset` and `sizes`: they name other files than
 * the one that stands in its place.
 *
 * @param replace the address, decoded; undefined leaves it as it is
 */
export function replaceAddresses(html: string, replace: (address: string) => string | undefined): string {
  let result = "";
  let done = 0;
  for (const { attributes } of htmlTags(html)) {
    const changes = attributes.flatMap((attribute) => {
      const next = ADDRESSES.has(attribute.name) ? replace(decodeEntities(attribute.value).trim()) : undefined;
      return next === undefined ? [] : [{ attribute, text: `${attribute.name}="${encodeAttribute(next)}"` }];
    });
    const isPicture = changes.some(({ attribute }) => attribute.name === "src");
    const removed = isPicture ? attributes.filter(({ name }) => SIZES.has(name)) : [];
    const all = [...changes, ...removed.map((attribute) => ({ attribute, text: "" }))];
    for (const { attribute, text } of all.sort((a, b) => a.attribute.start - b.attribute.start)) {
      // The space before a removed attribute goes with it.
      const from = text === "" ? Math.max(done, attribute.start - 1) : attribute.start;
      result += html.slice(done, from) + text;
      done = attribute.end;
    }
  }
  return done === 0 ? html : result + html.slice(done);
}
