/** Former addresses of media files in texts (decisions.md 64). */
import type { Media } from "../../model/media.ts";
import { TEXT_FIELDS, type Page, type PageText } from "../../model/page.ts";
import type { AnyKind, Entity, Reader } from "../content/record-type.ts";
import { CONTENTS } from "../content/records/contents.ts";
import { MEDIA } from "../content/records/media.ts";
import { MENUS } from "../content/records/menus.ts";
import { META_INSTANCES } from "../content/records/meta-instances.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { allPages, kindOf } from "../content/indexes/page-models.ts";
import type { KeyPath } from "../codec/codec.ts";
import type { Finding } from "./finding.ts";

/** @param mediaUrl the setting `MEDIA.URL`, with its final slash */
export function* mediaAddressFindings(content: Reader, mediaUrl: string): Generator<Finding> {
  if (!content.all(MEDIA).some(({ aliases }) => aliases.length > 0)) return;
  const { movedFrom } = mediaIndex(content);
  const inRecord = function* (kind: AnyKind, { id }: Entity, value: unknown, above: KeyPath): Generator<Finding> {
    for (const [text, path] of textsIn(value, above)) {
      for (const [address, moved] of movedIn(text, mediaUrl, movedFrom)) {
        const message = `${address} has moved to ${mediaUrl}${moved.file}: the address leads there by a redirect.`;
        yield { kind, id, path, severity: "warning", message };
      }
    }
  };
  for (const page of allPages(content)) {
    const kind = kindOf(page);
    for (const [lang, texts] of Object.entries(page.translations)) {
      yield* inRecord(kind, page, textsOf(texts), ["translations", lang]);
    }
    // Drafts are in other files, so there is no position in the main file.
    for (const { message, ...finding } of inRecord(kind, page, draftsOf(page), [])) {
      yield { ...finding, path: [], message: `Its draft: ${message}` };
    }
  }
  for (const block of content.all(CONTENTS)) {
    for (const [lang, text] of Object.entries(block.content)) {
      yield* inRecord(CONTENTS, block, text, ["translations", lang, "content"]);
    }
  }
  for (const each of content.all(META_INSTANCES)) yield* inRecord(META_INSTANCES, each, each.data, ["data"]);
  for (const menu of content.all(MENUS)) {
    for (const [lang, nodes] of Object.entries(menu.nodes)) {
      yield* inRecord(MENUS, menu, nodes, ["translations", lang, "nodes"]);
    }
  }
}

const textsOf = (texts: PageText): unknown =>
  Object.fromEntries(TEXT_FIELDS.map(({ name }) => [name, texts[name as keyof PageText]]));

const draftsOf = (page: Page): unknown => Object.values(page.drafts).map(({ payload }) => payload);

/** All strings in a value with their key paths. Not recursive, since data may nest deeply. */
function* textsIn(value: unknown, above: KeyPath): Generator<[text: string, path: KeyPath]> {
  const open: [unknown, KeyPath][] = [[value, above]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [inner, path] = next;
    if (typeof inner === "string") yield [inner, path];
    else if (typeof inner === "object" && inner !== null) {
      const isList = Array.isArray(inner);
      for (const [key, each] of Object.entries(inner)) open.push([each, [...path, isList ? Number(key) : key]]);
    }
  }
}

/** Characters that end an address in Markdown, HTML and `srcset`. */
const END = /[\s"'<>()[\]\\?#|,]/;

/** The former addresses in a text, each once, with the item that was there. */
function movedIn(
  text: string,
  mediaUrl: string,
  movedFrom: (path: string) => Media | undefined,
): ReadonlyMap<string, Media> {
  const found = new Map<string, Media>();
  for (let at = text.indexOf(mediaUrl); at >= 0; at = text.indexOf(mediaUrl, at + mediaUrl.length)) {
    const from = at + mediaUrl.length;
    const length = text.slice(from, from + ADDRESS_MAX).search(END);
    const written = text.slice(from, length < 0 ? from + ADDRESS_MAX : from + length);
    const media = movedFrom(decoded(written)) ?? movedFrom(written);
    if (media) found.set(mediaUrl + written, media);
  }
  return found;
}

/** In characters; longer than any percent-encoded file path. */
const ADDRESS_MAX = 4000;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path; // not percent-encoded
  }
}
