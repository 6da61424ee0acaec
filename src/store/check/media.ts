/** Media files that texts name by a former address, and uses of those in the trash: visitors are shown nothing in their place. */
import { mediaAddressesIn } from "../../model/address/media-addresses.ts";
import type { Reader } from "../records/record-type.ts";
import { MEDIA } from "../records/media/media.ts";
import { mediaIndex } from "../content/indexes/media-index.ts";
import { contentTexts, inText } from "./texts/content-texts.ts";
import type { Finding } from "./finding.ts";
import { encodePath, type Lang } from "../../model/language/locale.ts";
import type { Page } from "../../model/page/page.ts";
import { PAGE_KINDS } from "../content/indexes/pages-by-model.ts";
import { useKeysIn, usesOf, type RecordUse } from "../content/indexes/record-uses.ts";
import { MEDIA_DIR } from "../records/media/media-files.ts";

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

/** @param mediaUrl the setting `MEDIA.URL` */
export function* trashedMediaFindings(content: Reader, mediaUrl: string): Generator<Finding> {
  for (const media of content.all(MEDIA)) {
    if (media.deleted_at === null) continue;
    const message = `${MEDIA_DIR}/${media.file} is in the trash: visitors are shown nothing in its place. Restore it, or remove the reference.`;
    for (const use of usesOf(content, media, mediaUrl)) {
      const { kind, record, key } = use;
      const address = typeof key === "number" ? String(key) : mediaUrl + encodePath(key);
      for (const draft of draftsWith(use, mediaUrl))
        yield {
          kind,
          id: record.id,
          path: [],
          ...(draft !== null && { draft }),
          address,
          severity: "warning",
          message,
        };
    }
  }
}

/** The files of the record that have the use: null for its main file, the language of a draft. */
function draftsWith({ kind, record, key }: RecordUse, mediaUrl: string): readonly (Lang | null)[] {
  if (!PAGE_KINDS.includes(kind)) return [null];
  const { drafts, ...live } = record as Page;
  const has = (value: unknown): boolean => useKeysIn(value, value, mediaUrl).has(key);
  const found = Object.entries(drafts).flatMap(([lang, { payload }]) => (has(payload) ? [lang] : []));
  return has(live) ? [null, ...found] : found;
}
