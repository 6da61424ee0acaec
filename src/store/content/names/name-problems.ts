/** The problems of names in files that stand for no record, or for several. */
import { LINK_TARGET } from "../../../model/fields/definition.ts";
import { isObject, type Json } from "../../../model/input/json.ts";
import { findBuiltIn, modelLabel } from "../../../model/records/model-names.ts";
import type { Problem } from "../../../model/text/problem.ts";
import { decodeFile, FileError, locate, type KeyPath, type Position } from "../../codec/codec.ts";
import type { Repo } from "../../repo.ts";
import { inPartOrder, type Entry } from "../../records/record-type.ts";

export interface NameTrouble {
  readonly model: string;
  readonly name: string;
  /** The field that has the name. */
  readonly field: string;
  /** The records among which the name does not decide; none for an unknown name. */
  readonly claimants: readonly string[];
}

export interface ProblemGround {
  readonly repo: Pick<Repo, "read">;
}

/** The record is served without the reference. */
const LEVEL = { severity: "warning", rule: "missing-reference" } as const;

/** @param entry the record whose files have the names */
export async function problemsOf(
  { repo }: ProblemGround,
  { base, files }: Pick<Entry, "base" | "files">,
  troubles: readonly NameTrouble[],
): Promise<Problem[]> {
  if (troubles.length === 0) return [];
  const parts = inPartOrder(files.keys());
  const texts = new Map<string, string>();
  for (const part of parts) {
    const file = await repo.read(base + part);
    if (file) texts.set(base + part, new TextDecoder().decode(file.bytes));
  }
  const told = new Map<string, number>();
  return troubles.map((trouble) => {
    const key = `${trouble.field}\n${trouble.name}`;
    const nth = told.get(key) ?? 0;
    told.set(key, nth + 1);
    for (const [path, text] of texts) {
      const place = placeOf(path, text, trouble, nth);
      if (place) return { path, ...place.at, ...LEVEL, message: `${place.path.join(".")}: ${reasonOf(trouble)}` };
    }
    return { path: base + (parts[0] ?? ""), ...LEVEL, message: `${trouble.field}: ${reasonOf(trouble)}` };
  });
}

function reasonOf({ model, name, claimants }: NameTrouble): string {
  const builtIn = findBuiltIn(model);
  const label = model === LINK_TARGET || !builtIn ? "page" : modelLabel(builtIn);
  if (claimants.length === 0)
    return label === "page" || label === "article"
      ? `No ${label} has the permalink ${name}.`
      : `There is no ${label} "${name}".`;
  const advice =
    builtIn === "cms.Media" ? "Write the path of the one that is meant." : "Write the id of the one that is meant.";
  return `"${name}" is the name of several: ${claimants.join(", ")}. ${advice}`;
}

/** The nth place in a file at which a field, or a list in it, has a text. */
function placeOf(
  path: string,
  text: string,
  { field, name }: NameTrouble,
  nth: number,
): { readonly path: KeyPath; readonly at: Position | undefined } | undefined {
  const found = keyPathsOf(dataOf(path, text), field, name)[nth];
  return found && { path: found, at: locate(text, found) };
}

function dataOf(path: string, text: string): Json {
  try {
    return decodeFile(path, new TextEncoder().encode(text)).data;
  } catch (error) {
    if (error instanceof FileError) return null; // it was changed since it was loaded
    throw error;
  }
}

/** In the order of the file. */
function keyPathsOf(data: Json, field: string, name: string): KeyPath[] {
  const found: KeyPath[] = [];
  const open: [Json, (string | number)[]][] = [[data, []]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [value, path] = next;
    if (typeof value === "string" && value.trim() === name.trim() && path.includes(field)) found.push(path);
    const inner: [Json, string | number][] = Array.isArray(value)
      ? (value as readonly Json[]).map((item, at) => [item, at])
      : isObject(value)
        ? Object.entries(value).map(([key, item]) => [item, key])
        : [];
    for (const [item, key] of inner.reverse()) open.push([item, [...path, key]]);
  }
  return found;
}
