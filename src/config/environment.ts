/**
 * Settings from environment variables: `CMS_` and the path of the setting, with two underscores for each dot.
 *
 * They win over the settings file. Plugins are code of the site, so only the file can name them.
 */
import { closest } from "../model/input/closest.ts";
import { isObject } from "../model/input/json.ts";
import { SETTINGS, type Setting } from "./settings.ts";

const PREFIX = "CMS_";

/** Variables of commands; they are no settings. */
export const OTHER_VARIABLES: Readonly<Record<string, string>> = {
  CMS_PASSWORD: "The password of `cms user add` and `cms user passwd`.",
  CMS_IMPORT_TOKEN: "The token of `cms import camomilla`.",
  CMS_TOKEN: "The token of `cms build --server`.",
  CMS_STATE_DIR: "The folder of the private state, if it is not `.git/cms`.",
};

/** `MEDIA.URL` is `CMS_MEDIA__URL`. */
export const variableOf = (path: string): string => PREFIX + path.replaceAll(".", "__");

export interface WithEnvironment {
  /** The contents of the settings file with the values of variables in their places. */
  readonly raw: unknown;
  /** The variables whose values were taken, by the path of their setting. */
  readonly variables: ReadonlyMap<string, string>;
  readonly errors: readonly string[];
}

/**
 * A value is JSON where that fits the setting, else the text itself. An empty variable counts as not set, since compose
 * files and CI systems pass on unset ones like that.
 *
 * @param raw contents of the settings file; what is wrong in it is left for its validation
 */
export function withEnvironment(raw: unknown, environment: NodeJS.ProcessEnv): WithEnvironment {
  const variables = new Map<string, string>();
  if (raw !== null && !isObject(raw)) return { raw, variables, errors: unknownVariables(environment, new Set()) };
  let merged: Group = raw ?? {};
  for (const setting of SETTINGS) {
    const variable = variableOf(setting.path);
    const text = environment[variable];
    const next = text ? placed(merged, setting.path.split("."), valueOf(text, setting)) : undefined;
    if (next === undefined) continue;
    merged = next;
    variables.set(setting.path, variable);
  }
  return { raw: merged, variables, errors: unknownVariables(environment, secretVariables(merged)) };
}

/** The variables that the settings name as sources of secrets: `env:CMS_SYNC_SECRET`. */
function secretVariables({ SYNC, HOOKS }: Group): ReadonlySet<string> {
  const holders = [SYNC, ...(Array.isArray(HOOKS) ? (HOOKS as unknown[]) : [])];
  return new Set(
    holders.flatMap((holder) => {
      const secret = isObject(holder) ? holder.SECRET : undefined;
      return typeof secret === "string" && secret.startsWith("env:") ? [secret.slice("env:".length)] : [];
    }),
  );
}

type Group = Readonly<Record<string, unknown>>;

/** A copy of the group with a value at a path; undefined where the file has something else than a group on the way. */
function placed(group: Group, [key = "", ...rest]: readonly string[], value: unknown): Group | undefined {
  if (rest.length === 0) return { ...group, [key]: value };
  const inner = (Object.hasOwn(group, key) ? group[key] : undefined) ?? {};
  const next = isObject(inner) ? placed(inner, rest, value) : undefined;
  return next && { ...group, [key]: next };
}

function valueOf(text: string, { type, path }: Setting): unknown {
  const fits = (value: unknown): boolean => type(value, path, () => undefined) !== undefined;
  const parsed = parsedJson(text);
  return parsed !== undefined && (fits(parsed) || !fits(text)) ? parsed : text;
}

/** undefined for a text that is no JSON. */
function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const KNOWN = SETTINGS.map(({ path }) => variableOf(path).slice(PREFIX.length));
const GROUPS = new Set(SETTINGS.filter(({ path }) => path.includes(".")).map(({ path }) => path.split(".")[0]));

/**
 * Errors for variables that look like settings: those of a group, and those with a name similar to one.
 *
 * Others are left alone: Kubernetes sets `CMS_PORT` and `CMS_SERVICE_HOST` in every container beside a service named cms.
 */
function unknownVariables(environment: NodeJS.ProcessEnv, secrets: ReadonlySet<string>): string[] {
  return Object.keys(environment).flatMap((variable): string[] => {
    const name = variable.slice(PREFIX.length);
    if (!variable.startsWith(PREFIX) || !environment[variable]) return [];
    if (variable in OTHER_VARIABLES || KNOWN.includes(name) || secrets.has(variable)) return [];
    const near = closest(name, KNOWN);
    const isInGroup = GROUPS.has(name.split("__")[0]);
    if (near === undefined && !isInGroup) return [];
    return [`${variable}: there is no such setting${near ? `, did you mean ${PREFIX}${near}?` : ""}`];
  });
}
