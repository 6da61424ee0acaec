/** The tags of an HTML text, for changes to some of them that leave every other character as it is. */

export interface HtmlTag {
  /** In lower case. */
  readonly name: string;
  readonly isClosing: boolean;
  /** Of its `<`. */
  readonly start: number;
  /** After its `>`. */
  readonly end: number;
  readonly attributes: readonly HtmlAttribute[];
}

export interface HtmlAttribute {
  /** In lower case. */
  readonly name: string;
  /** As written, with its entities; "" without one. */
  readonly value: string;
  /** From its name to after its value. */
  readonly start: number;
  readonly end: number;
}

/** Elements whose text has no tags. */
const RAW: ReadonlySet<string> = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed"]);
const SPACE = " \t\n\r\f";
const NAME = /[^\s"'<>/=]+/y;
const SPACES = /[ \t\n\r\f]*/y;
const UNQUOTED = /[^\s"'<>]+/y;

/**
 * All tags outside of comments, scripts and the like, in their order. Reads each character once, whatever the text is: one
 * that ends within a tag or comment has no tag there.
 */
export function* htmlTags(html: string): Generator<HtmlTag> {
  let lower: string | undefined;
  let at = html.indexOf("<");
  while (at >= 0) {
    if (html.startsWith("<!--", at)) {
      const end = html.indexOf("-->", at + 4);
      if (end < 0) return;
      at = html.indexOf("<", end + 3);
      continue;
    }
    const tag = tagAt(html, at);
    if (tag === "unfinished") return;
    if (!tag) {
      at = html.indexOf("<", at + 1);
      continue;
    }
    yield tag;
    at = tag.end;
    if (!tag.isClosing && RAW.has(tag.name)) {
      lower ??= html.toLowerCase();
      at = lower.indexOf(`</${tag.name}`, tag.end);
      if (at < 0) return;
    }
    at = html.indexOf("<", at);
  }
}

function tagAt(html: string, start: number): HtmlTag | "unfinished" | undefined {
  const isClosing = html[start + 1] === "/";
  const nameAt = start + (isClosing ? 2 : 1);
  if (!/[a-z]/i.test(html.charAt(nameAt))) return undefined;
  const name = matchAt(NAME, html, nameAt);
  const attributes: HtmlAttribute[] = [];
  let at = nameAt + name.length;
  for (;;) {
    while (at < html.length && (SPACE.includes(html.charAt(at)) || html[at] === "/")) at++;
    if (at >= html.length) return "unfinished";
    if (html[at] === ">") return { name: name.toLowerCase(), isClosing, start, end: at + 1, attributes };
    const attribute = attributeAt(html, at);
    if (attribute === "unfinished") return "unfinished";
    if (attribute) attributes.push(attribute);
    at = attribute ? attribute.end : at + 1;
  }
}

function attributeAt(html: string, start: number): HtmlAttribute | "unfinished" | undefined {
  const written = matchAt(NAME, html, start);
  if (written === "") return undefined;
  const name = written.toLowerCase();
  const nameEnd = start + written.length;
  const sign = nameEnd + matchAt(SPACES, html, nameEnd).length;
  if (html[sign] !== "=") return { name, value: "", start, end: nameEnd };
  const from = sign + 1 + matchAt(SPACES, html, sign + 1).length;
  const quote = html.charAt(from);
  if (quote === '"' || quote === "'") {
    const to = html.indexOf(quote, from + 1);
    return to < 0 ? "unfinished" : { name, value: html.slice(from + 1, to), start, end: to + 1 };
  }
  const value = matchAt(UNQUOTED, html, from);
  return { name, value, start, end: from + value.length };
}

function matchAt(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? "";
}

/** The value of an attribute of a tag, with its entities decoded; undefined without it. */
export function attributeOf({ attributes }: HtmlTag, name: string): string | undefined {
  const found = attributes.find((each) => each.name === name);
  return found && decodeEntities(found.value);
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00a0",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
};

/** The text with the entities of XML, numbers, and the most common ones of HTML decoded; others stay. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi,
    (entity, decimal, hex, name: string | undefined) => {
      if (name !== undefined) return Object.hasOwn(ENTITIES, name) ? ENTITIES[name]! : entity;
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : entity;
    },
  );

export const encodeAttribute = (value: string): string =>
  value.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");

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
