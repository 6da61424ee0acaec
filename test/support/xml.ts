/** A strict reader of small XML documents, for tests of documents that the site writes. */

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';
const TAG = /^<(\/?)([A-Za-z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>/;

/** @throws for a text that is not well-formed */
export function parseXml(text: string): Element {
  if (!text.startsWith(DECLARATION)) throw new Error("There is no XML declaration.");
  const top: Element = { name: "", attributes: {}, children: [], text: "" };
  const open = [top];
  for (let rest = text.slice(DECLARATION.length); rest !== "";) {
    const inner = open.at(-1)!;
    const tag = TAG.exec(rest);
    if (tag === null) {
      const plain = /^[^<]+/.exec(rest)?.[0];
      if (plain === undefined) throw new Error(`No tag: ${rest.slice(0, 60)}`);
      inner.text += unescapeXml(plain);
      rest = rest.slice(plain.length);
      continue;
    }
    rest = rest.slice(tag[0].length);
    const [, end, name = "", attributes = "", isEmpty] = tag;
    if (end) {
      if (open.pop()!.name !== name) throw new Error(`</${name}> closes ${inner.name}.`);
      continue;
    }
    const element: Element = { name, attributes: attributesIn(attributes), children: [], text: "" };
    inner.children.push(element);
    if (!isEmpty) open.push(element);
  }
  const [root, ...others] = top.children;
  if (open.length > 1 || !root || others.length > 0 || top.text.trim() !== "") throw new Error("Not one closed root.");
  return root;
}

const attributesIn = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, name, value]) => [name!, unescapeXml(value!)]));

function unescapeXml(text: string): string {
  // oxlint-disable-next-line no-control-regex
  if (/&(?!#\d+;|amp;|lt;|gt;|quot;|apos;)|[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text)) throw new Error(`Not XML: ${text}`);
  return text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
}
