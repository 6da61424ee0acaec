/**
 * The configuration of a site: `cms.config.*` in its root, validated completely before anything starts.
 *
 * Environment variables win over the file (`config/environment.ts`). Settings have the names of the settings file, in upper case; values derived from them are in lower case.
 * The table of settings is in `config/settings.ts`.
 */
import { readFile, stat } from "node:fs/promises";
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { loadAll, YAMLException } from "js-yaml";
import { derived } from "./memo.ts";
import { withEnvironment } from "./config/environment.ts";
import { pickSettings, readSettings, settingAt } from "./config/read.ts";
import { SETTINGS, type Settings } from "./config/settings.ts";
import type { Log } from "./env.ts";
import { CmsError, messageOf, setup } from "./errors.ts";
import { isObject, objectOf } from "./model/input/json.ts";
import { listWordsOf, type Locales, type TakenAddresses } from "./model/language/locale.ts";
import { API_ROOT } from "./model/address/possible-names.ts";
import { openTimeZone } from "./model/time/time-zone.ts";
import { openExtensions, type Extensions } from "./plugins/extensions.ts";
import type { AnyPlugin } from "./plugins/plugin.ts";
import { readPlugins } from "./plugins/read.ts";
import { importModule } from "./import-module.ts";

export { SETTINGS, type Setting, type Settings } from "./config/settings.ts";
export type { InjectContext, Language, Variant, VariantFormat } from "./config/setting-types.ts";

export interface Config extends Settings {
  /** LANGUAGES and LANGUAGE_CODE in the form that `src/model` uses. */
  readonly locales: Locales;
  /** Scheme, host and port of the setting MEDIA.URL; absent where that is a path. */
  readonly mediaOrigin?: string;
  /** In development, where `BASE_URL` is for what leaves the machine only: absolute addresses have the origin of the request. */
  readonly usesRequestOrigin?: boolean;
  /** In the order of the setting; absent for none. */
  readonly plugins?: readonly AnyPlugin[];
  /** Every setting with where its value comes from. */
  readonly explained: readonly ExplainedSetting[];
  /** What the plugins add; absent until `withExtensions`, and without plugins. */
  readonly extensions?: Extensions;
}

export type DeepPartial<T> = T extends (...args: never[]) => unknown
  ? T
  : T extends readonly unknown[]
    ? T
    : T extends object
      ? { readonly [K in keyof T]?: DeepPartial<T[K]> }
      : T;

/** Some settings, and plugins. */
export type SettingsInput = DeepPartial<Settings> & { readonly plugins?: readonly AnyPlugin[] };

/** A site must have exactly one of them. */
const FILE_NAMES = ["yaml", "yml", "json", "js", "mjs", "ts"].map((extension) => `cms.config.${extension}`);

const MAX_BYTES = 64 * 1024;

/** The defaults with some settings replaced, validated like a file; for tests. */
export const defaultConfig = (overrides: SettingsInput = {}): Config => configOf(overrides, "The settings");

/**
 * Reads and validates the configuration in a site's root. For a `.js`, `.mjs` or `.ts` file, it is the default export.
 *
 * @param environment variables that win over the file, see `config/environment.ts`
 * @throws CmsError `setup` when there is none or more than one, or with all its errors
 */
export async function loadConfig(root: string, environment: NodeJS.ProcessEnv = process.env): Promise<Config> {
  const { raw, name } = await readFileOf(root);
  return configOf(raw, name, environment);
}

export interface ExplainedSetting {
  readonly path: string;
  /** As it may be shown: without what may be secret. */
  readonly value: unknown;
  /** The name of the settings file or of a variable; null for a default. */
  readonly from: string | null;
}

/** Every setting with where its value comes from. @throws as `loadConfig` */
export async function explainConfig(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<readonly ExplainedSetting[]> {
  return (await loadConfig(root, environment)).explained;
}

/** @throws CmsError `setup` */
async function readFileOf(root: string): Promise<{ readonly raw: unknown; readonly name: string }> {
  const [name, second] = FILE_NAMES.filter((one) => isFile(join(root, one)));
  if (!name) {
    throw setup(
      `There is no ${FILE_NAMES[0]} in ${root}: run \`cms init\` to make a site, or name its folder with --root.`,
    );
  }
  if (second) throw setup(`There are both ${name} and ${second} in ${root}: keep one of them.`);
  return { raw: await withPluginModules(root, await read(join(root, name), name), name), name };
}

/** The settings with the plugins that are given as paths of modules loaded. @throws CmsError `setup` naming the module */
async function withPluginModules(root: string, raw: unknown, source: string): Promise<unknown> {
  const listed: unknown = isObject(raw) ? raw.plugins : undefined;
  if (!Array.isArray(listed)) return raw;
  const load = async (each: unknown): Promise<unknown> => {
    if (typeof each !== "string") return each;
    if (!/\.(m?js|ts)$/.test(each) || each.split("/").some((part) => part === "" || part.startsWith(".")))
      throw setup(`${source}: plugins: ${each} is not the path of a .js, .mjs or .ts file below the site's root.`);
    try {
      const file = join(root, each);
      return each.endsWith(".ts")
        ? await importTypeScript(file)
        : await importDefault(file, (await stat(file)).mtimeMs);
    } catch (error) {
      throw setup(`${source}: the plugin ${each} cannot be loaded: ${messageOf(error)}`, error);
    }
  };
  return { ...(raw as object), plugins: await Promise.all(listed.map(load)) };
}

/** The nearest folder, from the given one upwards, that holds a configuration file. */
export function findRoot(from: string): string | undefined {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    if (FILE_NAMES.some((name) => isFile(join(dir, name)))) return dir;
    if (dir === dirname(dir)) return undefined;
  }
}

/**
 * The names of settings files, and whether a version of one can be used: what a commit that is taken over must not break,
 * since the next start would fail.
 */
export const settingsFiles = {
  names: FILE_NAMES,

  /**
   * Modules (`.js`, `.mjs`, `.ts`) and plugins are not checked: that would run them.
   *
   * @param bytes of the file of that name
   * @returns why the service would not start with it
   */
  problemOf(name: string, bytes: Uint8Array): string | undefined {
    if (isModule(name)) return undefined;
    try {
      const raw = parse(bytes, name);
      const listed: unknown = isObject(raw) ? raw.plugins : undefined;
      const plugins: unknown = Array.isArray(listed) ? listed.filter((each) => typeof each !== "string") : listed;
      configOf(isObject(raw) ? { ...raw, plugins } : raw, name, process.env);
      return undefined;
    } catch (error) {
      const lines = messageOf(error).split("\n");
      return lines.map((line) => line.trim()).join(" ");
    }
  },
};

/** The settings that belong to the content: that of another commit is read by its own. */
const OF_CONTENT = [
  "LANGUAGE_CODE",
  "LANGUAGES",
  "TIME_ZONE",
  "CONTENT",
  "BASE_URL",
  "APPEND_SLASH",
  "REVISIONS",
  "FEED",
  "MEDIA",
  "PAGINATION",
  "SITE_SEARCH",
] as const;

/** All settings of a commit; undefined for a module, which would have to run. @throws as `configOfCommit` */
export const settingsOfCommit = (name: string, bytes: Uint8Array): Config | undefined =>
  isModule(name) ? undefined : configOf(withoutPlugins(parse(bytes, name)), name, process.env);

/**
 * The configuration of a commit, for reading its content in a running service.
 *
 * Only what decides how content is read and shown is taken from the commit: modules are not run, and who may do what, which
 * addresses are answered and how it is written remain those of the service.
 *
 * @param running the configuration of the service, which is returned where it differs in nothing else
 * @param name of the settings file; a module (`.js`, `.mjs`, `.ts`) is not run, so the running configuration is used
 * @throws CmsError `setup` with all errors of the file
 */
export function configOfCommit(running: Config, name: string, bytes: Uint8Array): Config {
  if (isModule(name)) return running;
  const then = configOf(withoutPlugins(parse(bytes, name)), name, process.env);
  const isSame = (paths: readonly string[]): boolean =>
    paths.every((path) => JSON.stringify(settingAt(then, path)) === JSON.stringify(settingAt(running, path)));
  if (isSame([...OF_RECORDS, ...OF_PAYLOADS, "mediaOrigin"])) return running;
  const { fieldKinds } = running.locales;
  const { mediaOrigin: _ofService, ...rest } = running;
  return {
    ...rest,
    ...(Object.fromEntries(OF_CONTENT.map((name) => [name, then[name]])) as Pick<Config, (typeof OF_CONTENT)[number]>),
    ...(then.mediaOrigin !== undefined && { mediaOrigin: then.mediaOrigin }),
    RENDER: { ...running.RENDER, PAGE: { ...then.RENDER.PAGE, INJECT_CONTEXT: running.RENDER.PAGE.INJECT_CONTEXT } },
    API: { ...running.API, NESTING_DEPTH: then.API.NESTING_DEPTH },
    locales: isSame([...OF_RECORDS, "MEDIA.URL", "APPEND_SLASH", "PAGINATION"])
      ? running.locales
      : {
          ...then.locales,
          taken: takenAddresses({ ...running, MEDIA: then.MEDIA, APPEND_SLASH: then.APPEND_SLASH }),
          ...(fieldKinds && { fieldKinds }),
        },
  };
}

/** What decides how files are read. */
const OF_RECORDS = ["LANGUAGE_CODE", "LANGUAGES", "TIME_ZONE", "CONTENT.FRONT_MATTER"];
/** What else decides what is shown. */
const OF_PAYLOADS = [
  "BASE_URL",
  "APPEND_SLASH",
  "REVISIONS",
  "FEED",
  "SITE_SEARCH",
  "RENDER.PAGE.DEFAULT_TEMPLATE",
  "API.NESTING_DEPTH",
  "MEDIA",
  "PAGINATION",
];

/** The settings that templates may see, nested as in the settings file. */
export const publicSettings = derived((config: Config): { readonly [key: string]: unknown } => {
  const asSet = {
    ...config,
    BASE_URL: config.BASE_URL && siteAddressOf(config),
    MEDIA: { ...config.MEDIA, URL: (config.mediaOrigin ?? "") + config.MEDIA.URL },
  };
  const paths = SETTINGS.filter((setting) => setting.public).map(({ path }) => path);
  // Shared by all pages.
  return frozen(pickSettings(asSet, paths));
});

function frozen<T extends object>(value: T): T {
  for (const each of Object.values(value))
    if (typeof each === "object" && each !== null && !Object.isFrozen(each)) frozen(each as object);
  return Object.freeze(value);
}

/** @param source the name of the file, for the error message */
function configOf(raw: unknown, source: string, environment: NodeJS.ProcessEnv = {}): Config {
  const { raw: merged, variables, errors: unknown } = withEnvironment(withoutPlugins(raw), environment);
  const { settings: read, errors } = readSettings(merged, variables);
  const { plugins, errors: pluginErrors } = readPlugins(isObject(raw) ? raw.plugins : undefined);
  const based = withBasePath(read);
  const settings = typeof based === "string" ? read : based;
  const all = [...errors, ...unknown, ...pluginErrors, ...(typeof based === "string" ? [based] : [])];
  if (all.length > 0) throw setup([`${source} cannot be used:`, ...all].join("\n  "));
  const zone = settings.TIME_ZONE === null ? undefined : openTimeZone(settings.TIME_ZONE);
  const locales: Locales = {
    codes: settings.LANGUAGES.map(({ id }) => id),
    default: settings.LANGUAGE_CODE,
    ...(zone && { timeZone: zone }),
    ...(settings.CONTENT.FRONT_MATTER && { frontMatter: settings.CONTENT.FRONT_MATTER }),
    taken: takenAddresses(withMediaOrigin(settings)),
    listWords: objectOf(
      Object.entries(settings.PAGINATION.WORDS).map(([lang, words]) => [lang, listWordsOf(words)] as const),
    ),
  };
  const explained = SETTINGS.map(({ path }): ExplainedSetting => {
    const inFile = settingAt(raw, path) === undefined ? null : source;
    return { path, value: shownSetting(path, settingAt(settings, path)), from: variables.get(path) ?? inFile };
  });
  return { ...withMediaOrigin(settings), locales, explained, ...(plugins.length > 0 && { plugins }) };
}

const takenAddresses = ({
  MEDIA,
  API,
  ADMIN,
  APPEND_SLASH,
}: Pick<Settings, "MEDIA" | "API" | "ADMIN" | "APPEND_SLASH">): TakenAddresses => ({
  mediaUrl: MEDIA.URL,
  serviceRoots: [API_ROOT, ...API.ALIASES, ...(ADMIN.ENABLE ? [ADMIN.PATH.slice(0, -1)] : [])],
  appendSlash: APPEND_SLASH,
});

function withoutPlugins(raw: unknown): unknown {
  if (!isObject(raw)) return raw;
  const { plugins: _plugins, ...rest } = raw;
  return rest;
}

/** The query of a listener's address may be its secret. */
function shownSetting(path: string, value: unknown): unknown {
  if (typeof value === "function") return "a function";
  if (path !== "HOOKS" || !Array.isArray(value)) return value;
  return value.map((hook: unknown) =>
    isObject(hook) && typeof hook.URL === "string" ? { ...hook, URL: hook.URL.replace(/\?.*$/s, "?…") } : hook,
  );
}

/**
 * What stands in front of a path of the site in an absolute address: scheme, host and base path. Without `BASE_URL` the base
 * path alone, which is "" at the root of a host.
 */
export const siteAddressOf = ({ BASE_URL, BASE_PATH }: Pick<Settings, "BASE_URL" | "BASE_PATH">): string =>
  (BASE_URL ?? "") + BASE_PATH;

/** The settings with the path of `BASE_URL` as `BASE_PATH`; an error where both have one and these differ. */
function withBasePath(settings: Settings): Settings | string {
  const { origin = null, pathname = "/" } = URL.canParse(settings.BASE_URL ?? "") ? new URL(settings.BASE_URL!) : {};
  const path = pathname.replace(/\/$/, "");
  if (path !== "" && settings.BASE_PATH !== "" && path !== settings.BASE_PATH)
    return `BASE_PATH: found "${settings.BASE_PATH}", expected the path of BASE_URL, ${path}, or none`;
  return { ...settings, BASE_URL: origin, BASE_PATH: path || settings.BASE_PATH };
}

function withMediaOrigin(settings: Settings): Omit<Config, "locales" | "plugins" | "explained"> {
  if (!URL.canParse(settings.MEDIA.URL)) return settings;
  const { origin, pathname } = new URL(settings.MEDIA.URL);
  return { ...settings, MEDIA: { ...settings.MEDIA, URL: pathname }, mediaOrigin: origin };
}

/** The configuration with what its plugins add. @throws CmsError `setup` naming the plugin that does not fit */
export function withExtensions(config: Config, log: Log): Config {
  if (!config.plugins) return config;
  const extensions = openExtensions(config.plugins, log);
  return { ...config, extensions, locales: { ...config.locales, fieldKinds: extensions.fieldKinds } };
}

async function read(file: string, name: string): Promise<unknown> {
  try {
    const { size, mtimeMs } = await stat(file);
    if (size > MAX_BYTES) throw tooLarge();
    if (!isModule(name)) return parse(await readFile(file), name);
    return name.endsWith(".ts") ? await importTypeScript(file) : await importDefault(file, mtimeMs);
  } catch (error) {
    if (error instanceof CmsError) throw error;
    throw setup(`${name} cannot be read: ${reasonOf(error)}`, error);
  }
}

const isModule = (name: string): boolean => /\.(m?js|ts)$/.test(name);
const tooLarge = (): Error => new Error(`it is larger than ${MAX_BYTES} bytes`);

/** @throws CmsError `setup` */
function parse(bytes: Uint8Array, name: string): unknown {
  try {
    if (bytes.length > MAX_BYTES) throw tooLarge();
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return name.endsWith(".json") ? JSON.parse(text) : readYaml(text);
  } catch (error) {
    throw setup(`${name} cannot be read: ${reasonOf(error)}`, error);
  }
}

/** The query makes a changed file a new module, since Node keeps every module it has loaded. */
async function importDefault(file: string, mtimeMs: number): Promise<unknown> {
  return defaultOf(await importModule(`${pathToFileURL(file).href}?at=${mtimeMs}`));
}

async function importTypeScript(file: string): Promise<unknown> {
  const { createJiti } = await importModule<typeof import("jiti")>("jiti"); // loaded on demand: it takes 140 ms
  // The program may run where the package is not installed.
  const virtualModules = { "git-cms": { definePlugin: (plugin: unknown) => plugin } };
  const jiti = createJiti(file, { fsCache: false, moduleCache: false, virtualModules });
  return defaultOf(await jiti.import<{ default?: unknown }>(file));
}

function defaultOf(module: { default?: unknown }): unknown {
  if (module.default === undefined) throw new Error("it has no default export");
  return module.default;
}

/** A file without a document, as when every line is a comment, has no settings. */
function readYaml(text: string): unknown {
  const documents = loadAll(text, { maxDepth: 20, maxAliases: 100 });
  if (documents.length > 1) throw new Error("it holds more than one document");
  return documents[0] ?? {};
}

function reasonOf(error: unknown): string {
  if (!(error instanceof YAMLException) || !error.mark) return messageOf(error);
  return `line ${error.mark.line + 1}, column ${error.mark.column + 1}: ${error.reason}`;
}

const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
