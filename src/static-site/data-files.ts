/** Data of the site for other front ends, as JSON: menus, tags, instances, media and schemas. */
import type { Config } from "../config.ts";
import type { Instant } from "../model/time/instant.ts";
import type { Lang } from "../model/language/locale.ts";
import { queryContent } from "../render/template-queries.ts";
import { liveMedia } from "../store/content/indexes/media-index.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { mediaPayload } from "../views/media/media.ts";
import { typePayload, typeSchema } from "../views/meta/meta.ts";
import type { Payload, View } from "../views/view.ts";
import { folderOfPath } from "./output/output-path.ts";

/** The public data of the site other than pages. Lists are in the order of ids. */
export interface DataParts {
  types(): Promise<readonly Payload[]>;
  schema(type: Payload): Promise<unknown>;
  menus(lang: Lang): Promise<unknown>;
  tags(lang: Lang): Promise<unknown>;
  /** Payloads, with `links` or without. */
  media(lang: Lang): Promise<readonly Payload[]>;
  instances(lang: Lang, key: string): Promise<unknown>;
}

const FOLDER = "_data";

/** The files by path, below `_data/`; those of a language are in a folder named by its code. */
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

/** `links` may contain hidden pages. */
const withoutLinks = ({ links: _links, ...payload }: Payload): object => payload;

export function treeData(content: Snapshot, config: Config, now: Instant): DataParts {
  const { locales } = config;
  const viewOf = (lang: Lang): View => ({ content, config, locales, lang, now, surface: "public", origin: "" });
  return {
    types: async () => content.all(META_TYPES).map((type) => typePayload(type)),
    schema: async ({ id }) => typeSchema(viewOf(locales.default), content.get(META_TYPES, Number(id))),
    menus: async (lang) => queryContent(viewOf(lang), "menus"),
    tags: async (lang) => queryContent(viewOf(lang), "tags"),
    media: async (lang) => liveMedia(content).map((media) => mediaPayload(viewOf(lang), media)),
    instances: async (lang, key) => queryContent(viewOf(lang), "instances", key),
  };
}
