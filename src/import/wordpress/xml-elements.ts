/**
 * The elements of an XML file, one at a time, with their lines.
 *
 * The parser knows no other entities than those of XML, and a document type is refused, so that nothing is expanded and
 * nothing outside of the file is read.
 */
import { createReadStream } from "node:fs";
import { TextDecoder } from "node:util";
import { SaxesParser, type SaxesTagPlain } from "saxes";
import { CmsError } from "../../errors.ts";

export interface XmlElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  /** 1-based; where its start tag ends, and so where its text begins. */
  readonly line: number;
  /** The text of its own text nodes and CDATA sections. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement extends Omit<XmlElement, "text" | "children"> {
  readonly texts: string[];
  readonly children: XmlElement[];
}

/** Elements deeper than these are no export of a site. */
const DEPTH_MAX = 32;
/** Characters that XML does not allow. Exports have them all the same, from texts that were pasted into an editor. */
const FORBIDDEN = /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g;

/**
 * Reads a file in UTF-8, and hands over each element of the second level below the root (`rss` / `channel` / these) when it
 * ends, so that only one of them is in memory.
 *
 * @param take gets the elements in the order of their ends
 * @param entities called with the line of each entity that XML does not have; it stays in the text as it is
 * @throws CmsError `invalid` with file and line where the file is not well-formed, also where it ends too early
 */
export async function readXmlElements(
  file: string,
  name: string,
  { take, entity }: { take(element: XmlElement): void; entity(line: number): void },
): Promise<void> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  const refuse = (message: string): never => {
    throw new CmsError("invalid", `${name}:${parser.line}: ${message}`);
  };
  const open: OpenElement[] = [];
  const text = (piece: string): void => void open.at(-1)?.texts.push(piece);
  parser.on("xmldecl", ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) refuse(`The file is in ${encoding}, not in UTF-8.`);
  });
  parser.on("doctype", () => refuse("The file has a document type, which is not read."));
  parser.on("error", (error) => {
    if (error.message.endsWith("undefined entity.")) entity(parser.line);
    else refuse(`The file is not well-formed XML: ${error.message.replace(/^\d+:\d+: /, "")}`);
  });
  parser.on("opentag", (tag: SaxesTagPlain) => {
    if (open.length >= DEPTH_MAX) refuse(`Elements nest deeper than ${DEPTH_MAX} levels.`);
    open.push({ name: tag.name, attributes: tag.attributes, line: parser.line, texts: [], children: [] });
  });
  parser.on("text", text);
  parser.on("cdata", text);
  parser.on("closetag", () => {
    const { texts, ...element } = open.pop()!;
    const ended: XmlElement = { ...element, text: texts.join("") };
    if (open.length === 2) take(ended);
    else if (open.length > 2) open.at(-1)!.children.push(ended);
  });
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const write = (bytes?: Uint8Array): void => {
    const chunk = decodeWith(decoder, bytes) ?? refuse("The file has bytes that are not UTF-8.");
    parser.write(chunk.replace(FORBIDDEN, ""));
  };
  for await (const bytes of createReadStream(file) as AsyncIterable<Uint8Array>) write(bytes);
  write();
  parser.close();
}

/** undefined for bytes that are not UTF-8. @param bytes absent at the end */
function decodeWith(decoder: TextDecoder, bytes: Uint8Array | undefined): string | undefined {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode();
  } catch {
    return undefined;
  }
}

/** The first child of a name. */
export const childOf = (element: XmlElement, name: string): XmlElement | undefined =>
  element.children.find((child) => child.name === name);

/** The text of the first child of a name, trimmed; "" without one. */
export const elementText = (element: XmlElement, name: string): string => childOf(element, name)?.text.trim() ?? "";
