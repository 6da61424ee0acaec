/** What is missing for visitors: descriptions of pictures, translations; and media files that nothing uses. Warnings. */
import type { Locales } from "../../model/language/locale.ts";
import { textOf } from "../../model/page/page.ts";
import { liveMedia } from "../content/indexes/media-index.ts";
import { mediaUses } from "../content/indexes/record-uses.ts";
import { allPages, kindOf } from "../content/indexes/pages-by-model.ts";
import type { Reader } from "../records/record-type.ts";
import type { Snapshot } from "../snapshot.ts";
import { MEDIA_DIR } from "../records/media/media-files.ts";
import { MEDIA } from "../records/media/media.ts";
import type { Finding } from "./finding.ts";

const severity = "warning";

export function* completenessFindings(content: Snapshot, locales: Locales): Generator<Finding> {
  yield* missingTranslations(content, locales);
  yield* missingAltTexts(content, locales);
}

/** Tells which pages are published in another language only. */
function* missingTranslations(content: Reader, locales: Locales): Generator<Finding> {
  for (const page of allPages(content)) {
    const published = locales.codes.filter((lang) => textOf(page, lang).published_at !== null);
    const missing = locales.codes.filter((lang) => !published.includes(lang) && !textOf(page, lang).title);
    if (page.deleted_at || published.length === 0 || missing.length === 0) continue;
    const message = `Published in ${published.join(", ")}, and not translated into ${missing.join(", ")}.`;
    yield { kind: kindOf(page), id: page.id, path: ["translations"], severity, rule: "untranslated", message };
  }
}

/** Looks at files with a record: others, such as icons, are for templates. */
function* missingAltTexts(content: Snapshot, locales: Locales): Generator<Finding> {
  for (const { id, facts, translations } of liveMedia(content)) {
    const missing = locales.codes.filter((lang) => !translations[lang]?.alt_text);
    if (!facts?.image || missing.length === 0 || content.pathsOf(MEDIA, id).length === 0) continue;
    const message = `The picture has no alt_text in ${missing.join(", ")}: it is not described to those who cannot see it.`;
    yield { kind: MEDIA, id, path: ["translations"], severity, rule: "missing-alt-text", message };
  }
}

/**
 * Media files that no content and no template names, by number or by path.
 *
 * @param templates texts of the templates
 * @param mediaUrl the setting `MEDIA.URL`
 */
export function* unusedMediaFindings(
  content: Reader,
  templates: readonly string[],
  mediaUrl: string,
): Generator<Finding> {
  const code = templates.join("\n");
  for (const media of liveMedia(content)) {
    const { id, file, facts } = media;
    const isInCode = [String(id), file, encodeURI(file)].some((name) => code.includes(name));
    if (!facts || isInCode || mediaUses(content, media, mediaUrl).length > 0) continue;
    yield {
      kind: MEDIA,
      id,
      path: [],
      file: `${MEDIA_DIR}/${file}`,
      severity,
      rule: "unused-media",
      message: "No content and no template uses this file.",
    };
  }
}
