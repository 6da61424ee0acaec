/** From what a configuration file holds to settings, with everything wrong in it said at once. */
import { isObject } from "../model/json.ts";
import { SETTINGS, type Settings } from "./settings.ts";
import type { Complain } from "./kinds.ts";

/** A setting with the reason it cannot be used, as a line to print. */
export type Complaint = string;

/**
 * The settings with defaults filled in, and the complaints; with any of these, the settings are not fit for use.
 *
 * An empty group (`MEDIA:` with nothing below it) counts as left out.
 */
export function readSettings(raw: unknown): { settings: Settings; complaints: readonly Complaint[] } {
  const complaints: Complaint[] = [];
  const complain: Complain = (path, found, expected) => {
    complaints.push(`${path}: found ${show(found)}, expected ${expected}`);
    return undefined;
  };
  if (raw !== null && !isObject(raw)) complain("the whole file", raw, "settings by name");
  else complaints.push(...unknownKeys(raw ?? {}, ""));

  const tree: Tree = {};
  for (const { path, kind, fallback } of SETTINGS) {
    const value = valueAt(raw, path);
    plant(tree, path, value === undefined ? fallback : kind(value, path, complain));
  }
  const settings = tree as unknown as Settings;
  const { LANGUAGE_CODE: code, LANGUAGES: all } = settings;
  if (code && all && !all.some(({ id }) => id === code)) {
    complain("LANGUAGE_CODE", code, `one of LANGUAGES (${all.map(({ id }) => id).join(", ")})`);
  }
  return { settings, complaints };
}

/** An object with only the given settings, nested as they are. */
export function pick(settings: Settings, paths: readonly string[]): { readonly [key: string]: unknown } {
  const tree: Tree = {};
  for (const path of paths) plant(tree, path, valueAt(settings, path));
  return tree;
}

interface Tree {
  [key: string]: unknown;
}

const PATHS = SETTINGS.map(({ path }) => path);

function unknownKeys(group: object, prefix: string): Complaint[] {
  return Object.entries(group).flatMap(([key, value]): Complaint[] => {
    const path = prefix + key;
    if (PATHS.includes(path) || value === undefined) return [];
    if (!PATHS.some((known) => known.startsWith(`${path}.`))) return [`${path}: unknown key, ${hint(prefix, key)}`];
    if (isObject(value)) return unknownKeys(value, `${path}.`);
    return value === null ? [] : [`${path}: found ${show(value)}, expected ${keysBelow(`${path}.`).join(", ")} below it`];
  });
}

function hint(prefix: string, key: string): string {
  const siblings = keysBelow(prefix);
  const near = siblings
    .map((sibling) => ({ sibling, distance: editDistance(key.toUpperCase(), sibling) }))
    .filter(({ distance, sibling }) => distance <= Math.ceil(sibling.length / 3))
    .sort((a, b) => a.distance - b.distance)[0];
  if (near) return `did you mean ${prefix}${near.sibling}?`;
  const elsewhere = PATHS.find((path) => path.endsWith(`.${key.toUpperCase()}`));
  return elsewhere ? `did you mean ${elsewhere}?` : `known here: ${siblings.join(", ")}`;
}

const keysBelow = (prefix: string): string[] => [
  ...new Set(PATHS.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length).split(".")[0]!)),
];

function valueAt(raw: unknown, path: string): unknown {
  let value = raw;
  for (const key of path.split(".")) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

function plant(tree: Tree, path: string, value: unknown): void {
  const keys = path.split(".");
  const last = keys.pop()!;
  let group = tree;
  for (const key of keys) group = (group[key] ??= {}) as Tree;
  group[last] = value;
}

function show(value: unknown): string {
  const text = typeof value === "function" ? "a function" : (jsonText(value) ?? String(value));
  return text.length > 80 ? `${text.slice(0, 77)}...` : text;
}

/** Undefined for what JSON cannot say: a configuration that is a program can hold cycles, or a bigint. */
function jsonText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Levenshtein's: how many letters to insert, drop or replace. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      next.push(Math.min(previous[j]! + (letter === b[j] ? 0 : 1), previous[j + 1]! + 1, next[j]! + 1));
    }
    previous = next;
  }
  return previous[b.length]!;
}
