/** What front ends of other frameworks need beside the payloads of pages: menus, instances, media and schemas, as JSON. */
import type { Config } from "../config.ts";
import type { Instant } from "../model/instant.ts";
import { askContent } from "../render/answers.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { META_TYPES } from "../store/kinds/meta-types.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { mediaPayload } from "../views/media.ts";
import { typePayload, typeSchema } from "../views/meta.ts";
import type { View } from "../views/view.ts";
import { folderOfPath } from "./place.ts";

const FOLDER = "_data";

/** Text by path, below `_data/`. What depends on the language is in a folder named by it. */
export function dataFiles(content: Snapshot, config: Config, now: Instant): Map<string, string> {
  const { locales } = config;
  const viewOf = (lang: string): View => ({ content, config, locales, lang, now, surface: "public", origin: "" });
  const types = content.all(META_TYPES).filter(({ key }) => folderOfPath(`/${key}`, config.MEDIA.URL) === key);
  const byLang = locales.codes.flatMap((lang): [string, unknown][] => {
    const view = viewOf(lang);
    return [
      [`${lang}/menus`, askContent(view, "menus")],
      [`${lang}/tags`, askContent(view, "tags")],
      [`${lang}/media`, content.all(MEDIA).map((media) => withoutLinks(mediaPayload(view, media)))],
      ...types.map(({ key }): [string, unknown] => [`${lang}/instances/${key}`, askContent(view, "instances", key)]),
    ];
  });
  const files: [string, unknown][] = [
    ["languages", config.LANGUAGES.map(({ id, name }) => ({ id, name, is_default: id === locales.default }))],
    ["meta-types", types.map(typePayload)],
    ...types.map((type): [string, unknown] => [`schemas/${type.key}`, typeSchema(viewOf(locales.default), type)]),
    ...byLang,
  ];
  return new Map(files.map(([name, value]) => [`${FOLDER}/${name}.json`, `${JSON.stringify(value, null, 2)}\n`]));
}

/** What uses an item names pages that may be hidden. */
const withoutLinks = ({ links: _links, ...payload }: ReturnType<typeof mediaPayload>): object => payload;
