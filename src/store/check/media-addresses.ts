/** Former addresses of media files in texts. */
import { mediaAddressesIn } from "../../model/address/media-addresses.ts";
import type { Reader } from "../records/record-type.ts";
import { MEDIA } from "../records/media.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { contentTexts, inText } from "./content-texts.ts";
import type { Finding } from "./finding.ts";

/** @param mediaUrl the setting `MEDIA.URL`, with its final slash */
export function* mediaAddressFindings(content: Reader, mediaUrl: string): Generator<Finding> {
  if (!content.all(MEDIA).some(({ aliases }) => aliases.length > 0)) return;
  const { movedFrom } = mediaIndex(content);
  for (const each of contentTexts(content)) {
    const found = new Set<string>();
    for (const { address, path } of mediaAddressesIn(each.text, mediaUrl)) {
      const moved = movedFrom(path);
      if (!moved || moved.deleted_at !== null || found.has(address)) continue;
      found.add(address);
      const message = `${address} has moved to ${mediaUrl}${moved.file}: the address leads there by a redirect.`;
      yield inText(each, { message, address, severity: "warning" });
    }
  }
}
