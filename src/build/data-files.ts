/** What front ends of other frameworks need beside the payloads of pages: menus, instances, media and schemas, as JSON. */
import type { Config } from "../config.ts";
import type { Instant } from "../model/instant.ts";
import type { JsonObject } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import { queryContent } from "../render/template-queries.ts";
import { MEDIA } from "../store/content/records/media.ts";
import { META_TYPES } from "../store/content/records/meta-types.ts";
import type { Snapshot } from "../store/content/snapshot.ts";
import { mediaPayload } from "../views/media.ts";
import { typePayload, typeSchema } from "../views/meta.ts";
import type { View } from "../views/view.ts";
import { folderOfPath } from "./output/output-path.ts";

/** The site beside its pages, as visitors may know it. Everything in the order of ids. */
export interface DataParts {
  types(): Promise<readonly JsonObject[]>;
  schema(type: JsonObject): Promise<unknown>;
  menus(lang: Lang): Promise<unknown>;
  tags(lang: Lang): Promise<unknown>;
  /** Payloads, with the media items' uses or without. */
  media(lang: Lang): Promise<readonly JsonObject[]>;
  instances(lang: Lang, key: string): Promise<unknown>;
}

const FOLDER = "_data";

/** Text by path, below `_data/`. What depends on the language is in a folder named by it. */
export async function dataFiles(
  { LANGUAGES, MEDIA: { URL }, locales }: Config,
  parts: DataParts,
): Promise<Map<string, string>> {
  const all = await parts.types();
  const types = all
    .map((type) => [String(type.key), type] as const)
    .filter(([key]) => folderOfPath(`/${key}`, URL) === key);
  const files: [string, unknown][] = [
    ["languages", LANGUAGES.map(({ id, name }) => ({ id, name, is_default: id === locales.default }))],
    ["meta-types", types.map(([, type]) => type)],
  ];
  for (const [key, type] of types) files.push([`schemas/${key}`, await parts.schema(type)]);
  for (const lang of locales.codes) {
    files.push([`${lang}/menus`, await parts.menus(lang)], [`${lang}/tags`, await parts.tags(lang)]);
    files.push([`${lang}/media`, (await parts.media(lang)).map(withoutLinks)]);
    for (const [key] of types) files.push([`${lang}/instances/${key}`, await parts.instances(lang, key)]);
  }
  return new Map(files.map(([name, value]) => [`${FOLDER}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`]));
}

/** What uses an item names pages that may be hidden. */
const withoutLinks = ({ links: _links, ...payload }: JsonObject): object => payload;

export function treeData(content: Snapshot, config: Config, now: Instant): DataParts {
  const { locales } = config;
  const viewOf = (lang: Lang): View => ({ content, config, locales, lang, now, surface: "public", origin: "" });
  return {
    types: async () => content.all(META_TYPES).map((type) => typePayload(type) as unknown as JsonObject),
    schema: async ({ id }) => typeSchema(viewOf(locales.default), content.get(META_TYPES, Number(id))),
    menus: async (lang) => queryContent(viewOf(lang), "menus"),
    tags: async (lang) => queryContent(viewOf(lang), "tags"),
    media: async (lang) =>
      content.all(MEDIA).map((media) => mediaPayload(viewOf(lang), media) as unknown as JsonObject),
    instances: async (lang, key) => queryContent(viewOf(lang), "instances", key),
  };
}
