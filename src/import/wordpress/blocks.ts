/**
 * The comments by which the block editor of WordPress marks blocks: `<!-- wp:image {"id":5} -->`. Most blocks have their HTML
 * between two of them, which stays; some have none, since WordPress makes it when it shows the text.
 */
import { isObject, own, type Json, type JsonObject } from "../../model/input/json.ts";

export interface BlockComment {
  /** As in `core/image`: without `core/`. */
  readonly name: string;
  readonly attributes: JsonObject;
  readonly isClosing: boolean;
  /** Whether it is a block by itself, without HTML. */
  readonly isWhole: boolean;
  readonly start: number;
  readonly end: number;
}

const OPENING = "<!-- wp:";
const CLOSING = "<!-- /wp:";
const NAME = /^[a-z][\w/-]*/i;

export const hasBlocks = (html: string): boolean => html.includes(OPENING);

/** All comments of blocks. */
export function* blockComments(html: string): Generator<BlockComment> {
  let at = html.indexOf("<!-- ");
  while (at >= 0) {
    const end = html.indexOf("-->", at);
    if (end < 0) return;
    const isClosing = html.startsWith(CLOSING, at);
    if (isClosing || html.startsWith(OPENING, at)) {
      const inner = html.slice(at + (isClosing ? CLOSING : OPENING).length, end).trim();
      const name = NAME.exec(inner)?.[0] ?? "";
      const isWhole = inner.endsWith("/");
      const json = inner.slice(name.length, isWhole ? -1 : undefined).trim();
      yield {
        name: name.replace(/^core\//, ""),
        attributes: attributesIn(json),
        isClosing,
        isWhole,
        start: at,
        end: end + 3,
      };
    }
    at = html.indexOf("<!-- ", end + 3);
  }
}

function attributesIn(json: string): JsonObject {
  if (!json.startsWith("{")) return {};
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** Without the blocks that an author has hidden, in as many lines. */
export function withoutHiddenBlocks(html: string): string {
  if (!html.includes("blockVisibility")) return html;
  const parts: string[] = [];
  let done = 0;
  let hidden: { readonly start: number; readonly name: string; depth: number } | undefined;
  for (const block of blockComments(html)) {
    if (hidden) {
      if (block.name !== hidden.name || block.isWhole) continue;
      hidden.depth += block.isClosing ? -1 : 1;
      if (hidden.depth > 0) continue;
    } else {
      if (block.isClosing || !isHidden(block)) continue;
      hidden = { start: block.start, name: block.name, depth: 1 };
      if (!block.isWhole) continue;
    }
    parts.push(html.slice(done, hidden.start), html.slice(hidden.start, block.end).replace(/[^\n]+/g, ""));
    done = block.end;
    hidden = undefined;
  }
  return parts.join("") + html.slice(done, hidden?.start);
}

const isHidden = ({ attributes }: BlockComment): boolean => {
  const metadata = own(attributes, "metadata");
  return isObject(metadata) && own(metadata, "blockVisibility") === false;
};

/** Without their comments, and without the lines of those; `<!--more-->` and `<!--nextpage-->` mark no block and go, too. */
export function withoutBlockComments(html: string, replacement: (block: BlockComment) => string): string {
  let result = "";
  let done = 0;
  for (const block of blockComments(html)) {
    const text = replacement(block);
    result += html.slice(done, block.start) + text;
    const isLine = text === "" && (result === "" || result.endsWith("\n")) && html[block.end] === "\n";
    done = block.end + (isLine ? 1 : 0);
  }
  return withoutMarks(result + html.slice(done));
}

/** Comments that divide a text into parts. */
const MARK = /^<!--(?:more|nextpage|noteaser)\b/;

function withoutMarks(html: string): string {
  let result = "";
  let done = 0;
  for (let at = html.indexOf("<!--"); at >= 0; at = html.indexOf("<!--", done)) {
    const end = html.indexOf("-->", at);
    if (end < 0) break;
    result += html.slice(done, MARK.test(html.slice(at, at + 20)) ? at : end + 3);
    done = end + 3;
  }
  return result + html.slice(done);
}

/** An attribute with a whole number, as an id; undefined for any other. */
export function blockId({ attributes }: BlockComment, key: string): number | undefined {
  const value: Json | undefined = own(attributes, key);
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}
