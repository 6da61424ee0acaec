/** The JSON Schemas of the files of a site, and which files each is for. */
import { ARTICLE_MODEL, PAGE_MODEL } from "../model/page/page.ts";
import { RECORDS } from "../model/records/records.ts";
import type { FileTable } from "../store/records/file-rows.ts";
import { MEDIA_FOLDERS } from "../store/records/media/media-folders.ts";
import { META_TYPES } from "../store/records/meta-types.ts";
import { ARTICLES, PAGES } from "../store/records/pages.ts";
import { REVIEWS } from "../store/records/people/reviews.ts";
import { THREADS } from "../store/records/people/threads.ts";
import type { AnyKind } from "../store/records/record-type.ts";
import { RELEASES } from "../store/records/releases.ts";
import type { Schema } from "./json-schema.ts";
import { anyInstanceFile, draftFile, instanceFile, pageFile, recordFile } from "./record-files.ts";
import { settingsSchema } from "./settings-file.ts";
import type { SiteShape } from "./site-shape.ts";
import {
  blockTypeFile,
  contentFile,
  mediaFile,
  menuFile,
  pageModelFile,
  redirectsFile,
  rolesFile,
} from "./structure-files.ts";
import { tableFile, kindTitle } from "./table-files.ts";

/** Where `cms schemas` writes by default, below the site's root. */
export const SCHEMA_FOLDER = ".cms/schemas";

export interface FileSchema {
  /** The name of its file in the folder of schemas. */
  readonly name: string;
  /** The files it is for, below the site's root; those that begin with `!` are not. */
  readonly globs: readonly string[];
  readonly schema: Schema;
}

const yaml = (folder: string, ...except: readonly string[]): readonly string[] => [
  `${folder}/**/*.{yaml,yml}`,
  ...except.map((glob) => `!${glob}`),
];

export function fileSchemas(site: SiteShape): readonly FileSchema[] {
  const drafts = [PAGES, ARTICLES].map(({ dir }) => `${dir}/**/*.draft.*.{yaml,yml}`);
  const ofTypes = site.types.map((type): FileSchema => ({
    name: `instances/${type.key}.json`,
    globs: yaml(`content/meta-instances/${type.key}`),
    schema: instanceFile(site, type),
  }));
  const table = (kind: AnyKind & FileTable): FileSchema => ({
    name: `${kindTitle(kind.name).toLowerCase().replaceAll(" ", "-")}.json`,
    globs: yaml(kind.dir),
    schema: tableFile(site, kind),
  });
  const folders = "content/media/**/_folder.{yaml,yml}";
  return [
    { name: "settings.json", globs: ["cms.config.{yaml,yml,json}"], schema: settingsSchema() },
    { name: "page.json", globs: yaml(PAGES.dir, drafts[0]!), schema: pageFile(site, PAGE_MODEL) },
    { name: "article.json", globs: yaml(ARTICLES.dir, drafts[1]!), schema: pageFile(site, ARTICLE_MODEL) },
    { name: "draft.json", globs: drafts, schema: draftFile(site) },
    ...RECORDS.map((of): FileSchema => ({
      name: `${of.label.replaceAll(" ", "-")}.json`,
      globs: yaml(`content/${of.path}`),
      schema: recordFile(site, of),
    })),
    { name: "menu.json", globs: yaml("content/menus"), schema: menuFile(site) },
    { name: "content.json", globs: yaml("content/contents"), schema: contentFile(site) },
    { name: "media.json", globs: yaml("content/media", folders), schema: mediaFile(site) },
    { ...table(MEDIA_FOLDERS), globs: [folders] },
    { name: "page-model.json", globs: yaml("content/page-models"), schema: pageModelFile() },
    { name: "block-type.json", globs: yaml("content/block-types"), schema: blockTypeFile(site) },
    ...[META_TYPES, RELEASES, REVIEWS, THREADS].map(table),
    { name: "redirects.json", globs: ["content/redirects.yaml"], schema: redirectsFile(site) },
    { name: "roles.json", globs: ["content/roles.yaml"], schema: rolesFile(site) },
    ...ofTypes,
    {
      name: "instance.json",
      globs: yaml("content/meta-instances", ...ofTypes.map(({ globs }) => globs[0]!)),
      schema: anyInstanceFile(site),
    },
  ];
}

/**
 * The setting `yaml.schemas` of an editor's workspace (the language server of YAML): the files of each schema.
 *
 * @param folder of the schemas, below the site's root
 */
export const yamlSchemas = (
  schemas: readonly Pick<FileSchema, "name" | "globs">[],
  folder: string = SCHEMA_FOLDER,
): { readonly [schema: string]: readonly string[] } =>
  Object.fromEntries(schemas.map(({ name, globs }) => [`./${folder}/${name}`, globs.flatMap(alternatives)]));

/** Editors read the globs with braces in different ways. */
function alternatives(glob: string): readonly string[] {
  const braces = /\{([^{}]*)\}/.exec(glob);
  if (!braces) return [glob];
  return braces[1]!
    .split(",")
    .map((each) => glob.slice(0, braces.index) + each + glob.slice(braces.index + braces[0].length));
}
