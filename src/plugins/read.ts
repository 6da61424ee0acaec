/** Validates the setting `plugins`, so that a mistake is reported at the start, with the name of the plugin. */
import { isObject } from "../model/input/json.ts";
import type { AnyPlugin } from "./plugin.ts";

const NAME = /^[a-z][a-z0-9-]{0,39}$/;
const KEY = /^[a-z][a-z0-9_]{0,63}$/;
const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
const ROUTE_PATH = /^:?[a-z0-9_.-]+(\/:?[a-z0-9_.-]+)*$/i;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];
const ACCESS = ["public", "user", "staff", "superuser"];
const PARTS = ["name", "fieldKinds", "filters", "globals", "computed", "pages", "routes", "afterCommit"];

/** The plugins, and an error for each mistake: with errors the plugins must not be used. */
export function readPlugins(value: unknown): { plugins: readonly AnyPlugin[]; errors: readonly string[] } {
  if (value === undefined || value === null) return { plugins: [], errors: [] };
  if (!Array.isArray(value)) return { plugins: [], errors: ["plugins: expected a list of plugins"] };
  const list: readonly unknown[] = value;
  const errors = list.flatMap((each, at) => pluginErrors(each, `plugins.${at}`));
  const plugins = errors.length === 0 ? (list as readonly AnyPlugin[]) : []; // checked by `pluginErrors`
  return { plugins, errors: [...errors, ...duplicateNames(plugins)] };
}

function pluginErrors(plugin: unknown, at: string): string[] {
  if (!isObject(plugin)) return [`${at}: expected a plugin, as definePlugin returns it`];
  const parts: { readonly [key: string]: unknown } = plugin;
  const { name } = parts;
  if (typeof name !== "string" || !NAME.test(name))
    return [`${at}.name: expected small letters, digits and -, at most 40`];
  const wrong = (part: string, expected: string): string => `plugin "${name}": ${part}: expected ${expected}`;
  const table = (part: string, key: RegExp, fits: (value: unknown) => boolean, expected: string): string[] => {
    const sent = parts[part];
    if (sent === undefined) return [];
    if (!isObject(sent)) return [wrong(part, "an object")];
    return Object.entries(sent).flatMap(([each, inner]) =>
      key.test(each) && fits(inner) ? [] : [wrong(`${part}.${each}`, expected)],
    );
  };
  const { routes = [], afterCommit } = parts;
  return [
    ...Object.keys(parts).flatMap((part) => (PARTS.includes(part) ? [] : [wrong(part, `one of ${PARTS.join(", ")}`)])),
    ...table("fieldKinds", KEY, isFieldKind, "a name of small letters, digits and _, with schema and message"),
    ...table("filters", IDENTIFIER, isFunction, "a function"),
    ...table("globals", IDENTIFIER, () => true, "an identifier as its name"),
    ...table("computed", KEY, isFunction, "a name of small letters, digits and _, and a function"),
    ...table("pages", /./, isHooks, "the functions beforeSave and validate"),
    ...(Array.isArray(routes)
      ? routes.flatMap((route, n) => routeErrors(route, (part, expected) => wrong(`routes.${n}${part}`, expected)))
      : [wrong("routes", "a list")]),
    ...(afterCommit === undefined || isFunction(afterCommit) ? [] : [wrong("afterCommit", "a function")]),
  ];
}

function routeErrors(route: unknown, wrong: (part: string, expected: string) => string): string[] {
  if (!isObject(route)) return [wrong("", "method, path, access and handle")];
  const { method, path, access, handle }: { readonly [key: string]: unknown } = route;
  return [
    ...(typeof method === "string" && METHODS.includes(method)
      ? []
      : [wrong(".method", `one of ${METHODS.join(", ")}`)]),
    ...(typeof path === "string" && ROUTE_PATH.test(path) ? [] : [wrong(".path", "a path such as hours/:id")]),
    ...(isAccess(access) ? [] : [wrong(".access", `${ACCESS.join(", ")}, or { permission }`)]),
    ...(isFunction(handle) ? [] : [wrong(".handle", "a function")]),
  ];
}

/** An error for each name that two plugins have. */
function duplicateNames(plugins: readonly AnyPlugin[]): string[] {
  const claims = (part: string, namesOf: (plugin: AnyPlugin) => readonly string[]): string[] => {
    const owners = new Map<string, string>();
    return plugins.flatMap((plugin) =>
      namesOf(plugin).flatMap((name) => {
        const owner = owners.get(name);
        owners.set(name, plugin.name);
        return owner === undefined ? [] : [`plugin "${plugin.name}": ${part}${name} is taken by the plugin "${owner}"`];
      }),
    );
  };
  return [
    ...claims("the name ", ({ name }) => [name]),
    ...(["fieldKinds", "filters", "globals", "computed"] as const).flatMap((part) =>
      claims(`${part}.`, (plugin) => Object.keys(plugin[part] ?? {})),
    ),
  ];
}

const isFunction = (value: unknown): boolean => typeof value === "function";

function isFieldKind(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { schema, message, normalize }: { readonly [key: string]: unknown } = value;
  return isObject(schema) && typeof message === "string" && (normalize === undefined || isFunction(normalize));
}

const isHooks = (value: unknown): boolean =>
  isObject(value) && Object.entries(value).every(([key, hook]) => HOOKS.includes(key) && isFunction(hook));

const HOOKS = ["beforeSave", "validate"];

const isAccess = (value: unknown): boolean =>
  ACCESS.some((access) => access === value) || (isObject(value) && typeof value.permission === "string");
