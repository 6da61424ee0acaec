/** Former addresses of media files in texts (decisions.md 64). */
import type { Media } from "../../model/media.ts";
import type { Reader } from "../content/record-type.ts";
import { MEDIA } from "../content/records/media.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { contentTexts, decoded, inText } from "./content-texts.ts";
import type { Finding } from "./finding.ts";

/** @param mediaUrl the setting `MEDIA.URL`, with its final slash */
export function* mediaAddressFindings(content: Reader, mediaUrl: string): Generator<Finding> {
  if (!content.all(MEDIA).some(({ aliases }) => aliases.length > 0)) return;
  const { movedFrom } = mediaIndex(content);
  for (const each of contentTexts(content)) {
    for (const [address, moved] of movedIn(each.text, mediaUrl, movedFrom)) {
      const message = `${address} has moved to ${mediaUrl}${moved.file}: the address leads there by a redirect.`;
      yield inText(each, { message, address, severity: "warning" });
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
