/**
 * A Markdown text in parts: directives (`:::note{look="warm"}` to `:::`, `::map{place="here"}`) and components of MDX
 * (`<Gallery columns={2}>` to `</Gallery>`), each at the start of a line, and the text between them.
 */
import { isObject, objectOf, type Json } from "../../model/input/json.ts";
import type { ImportedSection, ImportedValue, ImportedValues, ImportedWords } from "../imported-site.ts";
import { proseOf } from "./prose.ts";

export interface SectionReading {
  readonly isMdx: boolean;
  /** The line of the file at which the text begins. */
  readonly firstLine: number;
  /** A file, an address or plain words. */
  value(written: string): ImportedValue;
}

/** A directive or a component, by lines: its tag from `at` to before `inner`, what is in it to before `close`. */
interface Block {
  readonly name: string;
  readonly colons: number;
  readonly at: number;
  readonly inner: number;
  close: number;
  end: number;
  readonly title: string;
  readonly attributes: string;
  /** What is in a component that ends on the line on which its tag does. */
  readonly inline?: string;
}

/** What is nested deeper is text. */
const DEPTH_MAX = 50;

/** The parts of a text; undefined for one without blocks. */
export function sectionsOf(text: string, reading: SectionReading): readonly ImportedSection[] | undefined {
  if (!text.includes("::") && !reading.isMdx) return undefined;
  const lines = text.split("\n");
  const blocks = blocksIn(text, lines, reading.isMdx);
  if (blocks.size === 0) return undefined;
  const partsOf = (from: number, to: number, depth = 0): readonly ImportedSection[] => {
    const parts: ImportedSection[] = [];
    let done = from;
    const addText = (until: number): void => {
      const words = wordsOf(lines.slice(done, until));
      if (words.text !== "") parts.push({ shown: "The text", forms: [], words, line: reading.firstLine + done });
    };
    for (let at = from; at < to; at++) {
      const block = depth < DEPTH_MAX ? blocks.get(at) : undefined;
      const imported = reading.isMdx && !block ? importedIn(lines[at]!) : undefined;
      if (!block && !imported) continue;
      addText(at);
      const end = block?.end ?? at + 1;
      const line = reading.firstLine + at;
      const words = wordsOf(lines.slice(at, end));
      if (imported) parts.push({ shown: "The import", forms: [], words, line, unless: imported });
      if (block) parts.push({ ...readBlock(block, partsOf(block.inner, block.close, depth + 1)), words, line });
      done = end;
      at = end - 1;
    }
    addText(to);
    return parts;
  };
  const readBlock = ({ name, title, attributes, ...block }: Block, inner: readonly ImportedSection[]) => {
    const { values, untold } = attributesIn(attributes, reading);
    const content = wordsOf(block.inline === undefined ? lines.slice(block.inner, block.close) : [block.inline]);
    const sections = block.inline === undefined ? inner : [{ shown: "The text", forms: [], words: content }];
    const form: ImportedValues = {
      ...(title !== "" && { title: { plain: title } }),
      ...values,
      ...(content.text !== "" && { content: { sections, words: content } }),
    };
    return { type: typeName(name), shown: `The block ${name}`, forms: [form], untold };
  };
  return partsOf(0, lines.length);
}

/** The block type of a component: `CallToAction` is `call-to-action`. */
const typeName = (name: string): string => name.replace(/([a-z0-9])(?=[A-Z])/g, "$1-").toLowerCase();

function wordsOf(lines: readonly string[]): ImportedWords {
  const text = lines.join("\n").trim();
  return { text, isHtml: false, ...(!/[*_`#<>&[\]\\|~$:!\n]|^[-+=\d]/.test(text) && { plain: text }) };
}

const IMPORT = /^import ([\w$]+|\{[\w$, ]+\}) from ["'][^"'\n]+["'];?[ \t]*$/;

/** The block types of the components that a line imports. */
const importedIn = (line: string): readonly string[] | undefined =>
  IMPORT.exec(line)?.[1]!
    .match(/[\w$]+/g)
    ?.map(typeName);

const OPENING = /^(:{2,})([a-z][\w-]*)(?:\[([^\]\n]*)\])?(?:\{([^}\n]*)\})?(?:[ \t]+([^\s{[:][^\n]*)?)?$/i;
const CLOSING = /^(:{3,})[ \t]*$/;
const TAG = /^[ \t]*<([A-Z]\w*)(?![\w.])/;
const TAG_END = /^[ \t]*<\/([A-Z]\w*)>[ \t]*$/;

/** All blocks that are closed, by their first lines. One that is not is text. */
function blocksIn(text: string, lines: readonly string[], isMdx: boolean): ReadonlyMap<number, Block> {
  const found = new Map<number, Block>();
  const prose = proseOf(text);
  const open: Block[] = [];
  let passed = 0;
  let start = 0;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    while (passed < prose.length && prose[passed]![1] <= start) passed++;
    const isProse = passed < prose.length && prose[passed]![0] <= start;
    const opened = isProse ? (openingIn(lines, at, isMdx) ?? null) : null;
    const closing = isProse ? (CLOSING.exec(line)?.[1]!.length ?? (isMdx && TAG_END.exec(line)?.[1])) : false;
    const top = open.at(-1);
    if (opened?.end) found.set(at, opened);
    else if (opened) open.push(opened);
    else if (top && (typeof closing === "number" ? top.colons > 0 && closing >= top.colons : closing === top.name)) {
      open.pop();
      Object.assign(top, { close: at, end: at + 1 });
      found.set(top.at, top);
    }
    start += line.length + 1;
    for (const last = opened?.inner ?? 0; at + 1 < last; at++) start += lines[at + 1]!.length + 1;
  }
  return found;
}

/** A block that a line begins; one without content has its end. */
function openingIn(lines: readonly string[], at: number, isMdx: boolean): Block | undefined {
  const [, colons = "", name = "", label = "", attributes = "", title = ""] = OPENING.exec(lines[at]!) ?? [];
  if (name !== "") {
    const inner = at + 1;
    const end = colons.length === 2 ? inner : 0;
    return { name, colons: colons.length, at, inner, close: inner, end, title: label || title.trim(), attributes };
  }
  const tag = isMdx ? TAG.exec(lines[at]!)?.[1] : undefined;
  return tag === undefined ? undefined : tagIn(lines, at, tag);
}

/** In lines: a tag that is longer is text. */
const TAG_MAX = 40;

function tagIn(lines: readonly string[], at: number, name: string): Block | undefined {
  const text = lines
    .slice(at, at + TAG_MAX)
    .join("\n")
    .trimStart();
  let [quote, depth] = ["", 0];
  for (let pos = name.length + 1; pos < text.length; pos++) {
    const character = text[pos]!;
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === "{") depth++;
    else if (character === "}") depth--;
    else if (character === ">" && depth === 0) {
      const isWhole = text[pos - 1] === "/";
      const attributes = text.slice(name.length + 1, isWhole ? pos - 1 : pos);
      const inner = at + attributes.split("\n").length;
      const [line = ""] = text.slice(pos + 1).split("\n", 1);
      const rest = line.trim();
      const closing = `</${name}>`;
      const inline = !isWhole && rest.endsWith(closing) ? rest.slice(0, -closing.length) : undefined;
      if ((rest !== "" && inline === undefined) || inline?.includes(`<${name}`)) return undefined;
      const block = { name, colons: 0, at, inner, close: inner, title: "", attributes };
      return inline === undefined ? { ...block, end: isWhole ? inner : 0 } : { ...block, inline, end: inner };
    }
  }
  return undefined;
}

const ATTRIBUTE = /([.#]?[a-z_][\w:-]*)(?:=(?:"([^"]*)"|'([^']*)'|(\{)|([^\s"'{}]+)))?/iy;

/** Attributes of a directive or tag by name; what is none is told. */
function attributesIn(
  text: string,
  reading: SectionReading,
): { readonly values: ImportedValues; readonly untold?: string } {
  // An attribute may be called `__proto__`, too.
  const values = new Map<string, ImportedValue>();
  const read = (untold?: string) => ({ values: objectOf(values), ...(untold !== undefined && { untold }) });
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      at++;
      continue;
    }
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(text);
    if (!match) return read(text.slice(at, at + 60));
    const [whole, name = "", double, single, brace, bare] = match;
    at += whole.length;
    if (brace) {
      const end = text.indexOf("}", at);
      const code = text.slice(at, end < 0 ? undefined : end);
      const value = literal(code);
      const imported = value === undefined ? undefined : valueOf(value, reading);
      if (end < 0 || !imported) return read(`${name}={${code.slice(0, 60)}}`);
      values.set(name, imported);
      at = end + 1;
    } else if (name.startsWith("#")) values.set("anchor", { plain: name.slice(1), isNamed: true });
    else if (name.startsWith(".")) values.set("class", { plain: name.slice(1), isNamed: true });
    else values.set(name, valueOf(double ?? single ?? bare ?? true, reading)!);
  }
  return read();
}

/** The value of an expression that is a literal. */
function literal(code: string): Json | undefined {
  try {
    return JSON.parse(code) as Json;
  } catch {
    return /^\s*'[^'\\]*'\s*$/.test(code) ? code.trim().slice(1, -1) : undefined;
  }
}

function valueOf(value: Json, reading: SectionReading): ImportedValue | undefined {
  if (typeof value === "string") return reading.value(value);
  if (typeof value === "number" || typeof value === "boolean") return { plain: String(value), isNamed: true };
  if (!Array.isArray(value)) return undefined;
  const items = (value as readonly Json[]).map((item) => {
    const entries = isObject(item) ? Object.entries(item) : [["item", item] as const];
    return entries.map(([name, each]) => [name, valueOf(each, reading)] as const);
  });
  if (items.flat().some(([, each]) => each === undefined)) return undefined;
  return { items: items.map((each) => ({ type: "item", values: Object.fromEntries(each) as ImportedValues })) };
}
