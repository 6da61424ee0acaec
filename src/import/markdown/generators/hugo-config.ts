/** The configuration of Hugo: files and folders that are merged, keys in any case, and folders that stand for others. */
import { isObject, mergeJson, objectOf, type Json, type JsonObject } from "../../../model/input/json.ts";
import type { Lang } from "../../../model/language/locale.ts";
import { readConfigFolder, readSiteConfig, settingAt, sourceConfig, textAt } from "../config-files.ts";
import { fieldText, listOf } from "../field-values.ts";
import { urlize, type DialectContext, type SourceConfig } from "./dialect.ts";
import { folderPath, type SourcePath } from "../source-tree.ts";

const NAMES = ["hugo", "config"].flatMap((name) => ["toml", "yaml", "yml", "json"].map((end) => `${name}.${end}`));

/** A folder of the source, and which place it has among the files of its kind. */
export interface Mount {
  readonly source: SourcePath;
  /** "" for the folder of that kind itself, else the path below it that its files have. */
  readonly below: SourcePath;
  readonly lang: Lang | undefined;
}

export interface HugoConfig extends SourceConfig {
  readonly content: readonly Mount[];
  readonly static: readonly Mount[];
  /** Where Hugo writes the site. */
  readonly output: SourcePath;
  /** The part of an address that a name of a file, a folder or a term becomes. */
  inPath(name: string): string;
}

/** The settings are those of a build for production, with their names in lower case, as are those of each language. */
export async function readHugoConfig(context: DialectContext): Promise<HugoConfig> {
  const { data: single, file: named } = await readSiteConfig(context, NAMES);
  const folders = await Promise.all(
    ["config/_default", "config/production"].map((folder) => readConfigFolder(context, folder)),
  );
  const file = context.tree.has(named)
    ? named
    : (context.tree.paths.find((path) => /^config\/_default\/(?:hugo|config)\./.test(path)) ?? named);
  const data = [single, ...folders]
    .map(withLowerKeys)
    .reduce((merged, each) => mergeJson(merged, each) as JsonObject, {});
  const languages = objectIn(data, "languages");
  const config = sourceConfig(context, {
    data,
    file,
    baseUrl: textAt(data, "baseurl"),
    defaultLang: textAt(data, "defaultcontentlanguage") ?? Object.keys(languages)[0],
    langs: Object.keys(languages),
    timeZone: textAt(data, "timezone"),
  });
  const ofLanguages = Object.entries(languages).flatMap(([lang, value]): Mount[] => {
    const source = textAt(value, "contentdir");
    return source === undefined ? [] : [{ source: folderPath(source), below: "", lang }];
  });
  const content = textAt(data, "contentdir") ?? "content";
  const mounted = mountsIn(settingAt(data, "module", "mounts") ?? null);
  const keepsCase = settingAt(data, "disablepathtolower") === true;
  const dropsAccents = settingAt(data, "removepathaccents") === true;
  return {
    ...config,
    content: [...ofLanguages, ...(mounted.content ?? [{ source: folderPath(content), below: "", lang: undefined }])],
    static:
      mounted.static ??
      (listOf(settingAt(data, "staticdir")).length > 0 ? listOf(settingAt(data, "staticdir")) : ["static"]).map(
        (source) => ({ source: folderPath(source), below: "", lang: undefined }),
      ),
    output: folderPath(textAt(data, "publishdir") ?? "public"),
    inPath(name) {
      const plain = dropsAccents
        ? name
            .normalize("NFD")
            .replace(/\p{Mn}/gu, "")
            .normalize("NFC")
        : name;
      return urlize(plain, keepsCase);
    },
  };
}

function withLowerKeys(data: JsonObject): JsonObject {
  const lower = (object: JsonObject): JsonObject =>
    objectOf(Object.entries(object).map(([key, value]) => [key.toLowerCase(), value] as const));
  const top = lower(data);
  if (!isObject(top.languages)) return top;
  const languages = Object.entries(top.languages).map(
    ([lang, value]) => [lang, isObject(value) ? lower(value) : value] as const,
  );
  return { ...top, languages: objectOf(languages) };
}

const objectIn = (data: JsonObject, name: string): JsonObject => {
  const value = settingAt(data, name);
  return isObject(value) ? value : {};
};

/** By the folder that they stand for; those that no mount is for are where they are without mounts. */
function mountsIn(stated: Json): Partial<Record<"content" | "static", readonly Mount[]>> {
  const rows = (Array.isArray(stated) ? (stated as readonly Json[]) : []).flatMap((row) => {
    const [source, target] = [textAt(row, "source"), textAt(row, "target")];
    return source === undefined || target === undefined
      ? []
      : [{ source: folderPath(source), target: folderPath(target), lang: fieldText(settingAt(row, "lang")) }];
  });
  return Object.fromEntries(
    (["content", "static"] as const).flatMap((kind) => {
      const mounts = rows
        .filter(({ target }) => target === kind || target.startsWith(`${kind}/`))
        .map(({ source, target, lang }) => ({ source, below: target.slice(kind.length + 1), lang }));
      return mounts.length === 0 ? [] : [[kind, mounts.sort((a, b) => b.source.length - a.source.length)] as const];
    }),
  );
}

/** The path that a file has among those of its kind; undefined for one of none. */
export function mountedPath(
  mounts: readonly Mount[],
  path: SourcePath,
): { readonly path: SourcePath; readonly mount: Mount } | undefined {
  const mount = mounts.find(({ source }) => path.startsWith(`${source}/`));
  if (!mount) return undefined;
  const rest = path.slice(mount.source.length + 1);
  return { path: mount.below === "" ? rest : `${mount.below}/${rest}`, mount };
}
