/** What is missing for visitors: descriptions of pictures, translations; and media files that nothing uses. Warnings. */
import type { Locales } from "../../model/locale.ts";
import { GLOBAL_FIELDS, textOf } from "../../model/page.ts";
import { allPages, kindOf } from "../content/indexes/page-models.ts";
import type { Reader } from "../content/record-type.ts";
import type { Snapshot } from "../content/snapshot.ts";
import { META_INSTANCES } from "../content/records/meta-instances.ts";
import { MEDIA_DIR } from "../content/records/media-files.ts";
import { MEDIA } from "../content/records/media.ts";
import { contentTexts } from "./content-texts.ts";
import type { Finding } from "./finding.ts";

const severity = "warning";

export function* completenessFindings(content: Snapshot, locales: Locales): Generator<Finding> {
  yield* missingTranslations(content, locales);
  yield* missingAltTexts(content, locales);
}

/** Of pages that are published in another language. */
function* missingTranslations(content: Reader, locales: Locales): Generator<Finding> {
  for (const page of allPages(content)) {
    const published = locales.codes.filter((lang) => textOf(page, lang).published_at !== null);
    const missing = locales.codes.filter((lang) => !published.includes(lang) && !textOf(page, lang).title);
    if (page.deleted_at || published.length === 0 || missing.length === 0) continue;
    const message = `Published in ${published.join(", ")}, and not translated into ${missing.join(", ")}.`;
    yield { kind: kindOf(page), id: page.id, path: ["translations"], severity, message };
  }
}

/** Of files with a record: others, such as icons, are for templates. */
function* missingAltTexts(content: Snapshot, locales: Locales): Generator<Finding> {
  for (const { id, facts, translations } of content.all(MEDIA)) {
    const missing = locales.codes.filter((lang) => !translations[lang]?.alt_text);
    if (!facts?.image || missing.length === 0 || content.pathsOf(MEDIA, id).length === 0) continue;
    const message = `The picture has no alt_text in ${missing.join(", ")}: it is not described to those who cannot see it.`;
    yield { kind: MEDIA, id, path: ["translations"], severity, message };
  }
}

/**
 * Media files that no content and no template names, by number or by path.
 *
 * @param templates texts of the templates
 */
export function* unusedMediaFindings(content: Reader, templates: readonly string[]): Generator<Finding> {
  const numbers = new Set<number>();
  for (const page of allPages(content)) {
    for (const { name, target } of GLOBAL_FIELDS) if (target) addNumbers(numbers, page[name as keyof typeof page]);
    for (const { template_data: data } of Object.values(page.translations)) addNumbers(numbers, data);
    addNumbers(numbers, page.meta);
    addNumbers(numbers, Object.values(page.drafts));
  }
  for (const { data } of content.all(META_INSTANCES)) addNumbers(numbers, data);
  const code = templates.join("\n");
  const texts = [code, ...[...contentTexts(content)].map(({ text }) => text)].join("\n");
  for (const { id, file, facts } of content.all(MEDIA)) {
    const isNumbered = numbers.has(id) || code.includes(String(id));
    if (!facts || isNumbered || texts.includes(file) || texts.includes(encodeURI(file))) continue;
    yield {
      kind: MEDIA,
      id,
      path: [],
      file: `${MEDIA_DIR}/${file}`,
      severity,
      message: "No content and no template uses this file.",
    };
  }
}

/** Not recursive, since data may nest deeply. */
function addNumbers(found: Set<number>, value: unknown): void {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "number") found.add(next);
    else if (typeof next === "object" && next !== null) open.push(...Object.values(next));
  }
}
