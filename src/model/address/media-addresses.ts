/** Addresses of media files in texts: Markdown, HTML, `srcset`, or an address alone. */
import { decoded } from "../language/locale.ts";

/** In characters; longer than any percent-encoded file path. */
const ADDRESS_MAX = 4000;
/** An address has none of the first of these; a file name may have the others. */
const END = /["<>?#|\n\r\t]/;
const MAY_END = /[\s'()[\]\\,;`*"<>?#|]/g;
const MAY_END_MAX = 16;
/** Markdown may have a backslash before any punctuation, and HTML this entity. */
const ESCAPED = /\\(?=[!-/:-@[-`{-~])|(?<=&)amp;/g;

/** The text of an address, and the path below `media/` that it may name, decoded. */
interface MediaAddress {
  readonly address: string;
  readonly path: string;
}

/**
 * What may be addresses of media files in a text. Where one ends is uncertain, as in `(/media/a(1).png)`: every possible end gives
 * one, and the caller knows which files there are. Each part of the text is read once.
 *
 * @param mediaUrl the setting `MEDIA.URL`, with its final slash
 */
export function* mediaAddressesIn(text: string, mediaUrl: string): Generator<MediaAddress> {
  let at = text.indexOf(mediaUrl);
  while (at >= 0) {
    const from = at + mediaUrl.length;
    const limit = from + ADDRESS_MAX;
    const first = text.slice(from, limit).search(MAY_END);
    at = text.indexOf(mediaUrl, first < 0 ? limit : from + first);
    const rest = text.slice(from, at < 0 ? limit : Math.min(limit, at));
    const end = rest.search(END);
    const longest = end < 0 ? rest : rest.slice(0, end);
    const ends = [...longest.matchAll(MAY_END)].slice(0, MAY_END_MAX).map(({ index }) => index);
    for (const length of [...ends, longest.length]) if (length > 0) yield addressOf(mediaUrl, longest.slice(0, length));
  }
}

const addressOf = (mediaUrl: string, written: string): MediaAddress => ({
  address: mediaUrl + written,
  path: decoded(written.replace(ESCAPED, "")),
});
