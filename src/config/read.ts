/** Reads and validates the contents of a configuration file; all errors are reported at once. */
import { closest } from "../model/input/closest.ts";
import { isObject } from "../model/input/json.ts";
import { SETTINGS, type Settings } from "./settings.ts";
import { HIDDEN_VALUE } from "./secrets.ts";
import type { ReportProblem } from "./setting-types.ts";

/** One line: path of the setting, value found, value expected. */
export type SettingError = string;

/**
 * The settings with defaults, and the errors. If there are errors, the settings must not be used.
 *
 * An empty group (`MEDIA:` without keys) is valid.
 *
 * @param variables of the environment that gave values, by the path of the setting: errors name them
 */
export function readSettings(
  raw: unknown,
  variables: ReadonlyMap<string, string> = new Map(),
): { settings: Settings; errors: readonly SettingError[] } {
  const errors: SettingError[] = [];
  const report: ReportProblem = (path, found, expected) => {
    errors.push(`${placeOf(path, variables)}: found ${show(found)}, expected ${expected}`);
    return undefined;
  };
  if (raw !== null && !isObject(raw)) report("the whole file", raw, "settings by name");
  else errors.push(...unknownKeys(raw ?? {}, ""));

  const tree: Tree = {};
  for (const { path, type, fallback } of SETTINGS) {
    const value = settingAt(raw, path);
    setAtPath(tree, path, value === undefined ? fallback : type(value, path, report));
  }
  const settings = tree as unknown as Settings;
  if (settings.AUTH.ONLY_OIDC && settings.AUTH.OIDC?.length === 0)
    report("AUTH.ONLY_OIDC", true, "false, or a provider in AUTH.OIDC");
  const { LANGUAGE_CODE: code, LANGUAGES: all } = settings;
  if (code && all && !all.some(({ id }) => id === code)) {
    report("LANGUAGE_CODE", code, `one of LANGUAGES (${all.map(({ id }) => id).join(", ")})`);
  }
  return { settings, errors };
}

/** `ROUTER_CACHE`, or `CMS_ROUTER_CACHE (ROUTER_CACHE)` for a value of a variable. */
function placeOf(path: string, variables: ReadonlyMap<string, string>): string {
  const setting = [...variables.keys()].find((each) => path === each || path.startsWith(`${each}.`));
  if (setting === undefined) return path;
  const { fallback } = SETTINGS.find((each) => each.path === setting)!;
  return `${variables.get(setting)} (${path}${Array.isArray(fallback) ? ", as JSON" : ""})`;
}

/** An object with only the given settings, nested as they are. */
export function pickSettings(settings: Settings, paths: readonly string[]): { readonly [key: string]: unknown } {
  const tree: Tree = {};
  for (const path of paths) setAtPath(tree, path, settingAt(settings, path));
  return tree;
}

interface Tree {
  [key: string]: unknown;
}

const PATHS = SETTINGS.map(({ path }) => path);

function unknownKeys(group: object, prefix: string): SettingError[] {
  return Object.entries(group).flatMap(([key, value]): SettingError[] => {
    const path = prefix + key;
    if (PATHS.includes(path) || value === undefined) return [];
    if (!PATHS.some((known) => known.startsWith(`${path}.`))) return [`${path}: unknown key, ${hint(prefix, key)}`];
    if (isObject(value)) return unknownKeys(value, `${path}.`);
    return value === null
      ? []
      : [`${path}: found ${show(value)}, expected ${keysBelow(`${path}.`).join(", ")} below it`];
  });
}

function hint(prefix: string, key: string): string {
  const siblings = keysBelow(prefix);
  const near = closest(key, siblings);
  if (near) return `did you mean ${prefix}${near}?`;
  const elsewhere = PATHS.find((path) => path.endsWith(`.${key.toUpperCase()}`));
  return elsewhere ? `did you mean ${elsewhere}?` : `known here: ${siblings.join(", ")}`;
}

const keysBelow = (prefix: string): string[] => [
  ...new Set(PATHS.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length).split(".")[0]!)),
];

/** @param path of keys joined by dots; undefined where there is nothing */
export function settingAt(raw: unknown, path: string): unknown {
  let value = raw;
  for (const key of path.split(".")) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function setAtPath(tree: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let group = tree;
  for (const key of keys) group = (group[key] ??= {}) as Tree;
  group[last] = value;
}

function show(value: unknown): string {
  if (value === HIDDEN_VALUE) return HIDDEN_VALUE.description!;
  const text = typeof value === "function" ? "a function" : (jsonText(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** undefined for values without a JSON form: a configuration that is a program can have cycles, or a bigint. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
