/**
 * Sites below a path of their host: what templates and texts write as `/about/` is `/site/about/` in the HTML. It is done for
 * whole pages, so templates, payloads and texts are the same wherever the site is.
 */
import type { Config } from "../config.ts";
import { htmlTokens } from "../model/text/html-tokens.ts";

const ADDRESSES: ReadonlySet<string> = new Set(
  "href src action formaction poster data cite background manifest xlink:href".split(" "),
);
const SETS: ReadonlySet<string> = new Set(["srcset", "imagesrcset"]);
/** Of `<meta property="og:image" content="/...">` and alike: an address is all of the value. */
const META_ADDRESS = /^(?:og|twitter):(?:image|url|video|audio)/i;

/** The HTML with the base path before each address that begins with one slash. Takes linear time. */
export function belowBasePath(html: string, { BASE_PATH }: Pick<Config, "BASE_PATH">): string {
  if (BASE_PATH === "") return html;
  const parts: string[] = [];
  let done = 0;
  for (const { name: element, attributes } of htmlTokens(html)) {
    const isMeta =
      element === "meta" &&
      attributes.some(({ name, value }) => (name === "property" || name === "name") && META_ADDRESS.test(value));
    const isRefresh = element === "meta" && attributes.some(({ value }) => /^refresh$/i.test(value));
    for (const { name, value, end } of attributes) {
      const address = name === "content" ? (isMeta ? AT_ROOT : isRefresh ? IN_REFRESH : undefined) : addressIn(name);
      const based = address === undefined ? value : value.replace(address, `$1${BASE_PATH}/`);
      if (based === value) continue;
      const at = html.lastIndexOf(value, end);
      parts.push(html.slice(done, at), based);
      done = at + value.length;
    }
  }
  parts.push(html.slice(done));
  return parts.join("");
}

/** Where the value of an attribute has addresses; undefined for one without. */
const addressIn = (attribute: string): RegExp | undefined =>
  ADDRESSES.has(attribute) ? AT_ROOT : SETS.has(attribute) ? IN_SET : attribute === "style" ? IN_STYLE : undefined;

const AT_ROOT = /^(\s*)\/(?!\/)/;
const IN_SET = /((?:^|,)\s*)\/(?!\/)/g;
const IN_STYLE = /(\burl\((?:["']|&quot;|&#39;)?)\/(?!\/)/gi;
const IN_REFRESH = /(;\s*url=)\/(?!\/)/i;
