/** Settles the ids and permalinks that two records of a merged tree claim, each of which came from another side. */
import type { Id } from "../../model/id.ts";
import { isObject, own, type Json, type JsonObject } from "../../model/json.ts";
import { showValue } from "../../model/merge/conflict.ts";
import type { Locales } from "../../model/locale.ts";
import { settleId, settlePermalink, type Claimant } from "../../model/merge/contested.ts";
import { valueAt } from "../../model/merge/path.ts";
import { isReserved, sanitizePermalink } from "../../model/permalink.ts";
import { FileError } from "../codec/codec.ts";
import { placeOf } from "../content/load.ts";
import { mainPart, type AnyKind } from "../content/record-type.ts";
import { derivedId } from "../content/records/fields.ts";
import { openPace } from "../../time-slices.ts";
import { oidOf } from "../git/objects/object.ts";
import { decodeRecord, editRecord } from "../merge/record-text.ts";
import type { MergedFile, Oid, Path, Repo } from "../repo.ts";
import { versionsOf, type TreeSides } from "./tree-sides.ts";

type MergedFiles = ReadonlyMap<Path, MergedFile | null>;

/** A key that one record of the site may have: the id in its family, or a page's permalink in a language. */
interface Claim {
  readonly key: string;
  /** Absent for an id. */
  readonly language?: string;
}

interface SiteContext {
  readonly repo: Repo;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
}

/** The main file of a record that a side touched, as it is in the merged tree. */
interface Contender {
  readonly path: Path;
  readonly kind: AnyKind;
  readonly file: MergedFile;
}

export interface Settlement {
  readonly files: ReadonlyMap<Path, MergedFile>;
  /** For the message of the merge: what each record has instead. */
  readonly notes: readonly string[];
}

const NOTHING: Settlement = { files: new Map(), notes: [] };

/**
 * A claim that both records made on one side already is left to `cms check`: the merge did not bring it about.
 *
 * @param ours our commit
 */
export async function settleContested(
  context: SiteContext,
  ours: Oid,
  sides: TreeSides,
  merged: MergedFiles,
): Promise<Settlement> {
  const isMain = (path: Path): boolean => mainOf(context.kinds, path) !== undefined;
  if (![sides.ours, sides.theirs].every((changes) => [...changes.keys()].some(isMain))) return NOTHING;
  const contests = await contestsIn(context, sides, merged);
  if (contests.length === 0) return NOTHING;
  const taken = await keysOfTree(context, ours, merged);
  const contenders = new Map(contests.flatMap(([, all]) => all).map((each) => [each.path, each]));
  const records = new Map<Path, JsonObject>();
  for (const [path, { file }] of contenders) records.set(path, (await dataOf(context.repo, path, file)) ?? {});
  const changed = new Map<Path, JsonObject>();
  const notes: { readonly path: Path; readonly text: string }[] = [];
  for (const [claim, all] of contests) {
    const claimants = all.map(({ path }): Claimant => ({
      path,
      side: versionsOf(sides, path).theirs ? "theirs" : "ours",
      data: records.get(path) ?? {},
    }));
    for (const [path, data] of settle(context, claim, claimants, taken)) {
      const [from, to] = [records.get(path) ?? {}, data].map((each) => showValue(claimed(each, claim)));
      notes.push({ path, text: `${path}: ${nameOf(claim)} ${from} is now ${to}` });
      records.set(path, data);
      changed.set(path, data);
      const kind = contenders.get(path)?.kind;
      for (const { key } of kind ? claimsOf(kind, data) : []) taken.add(key);
    }
  }
  const files = await edited(context.repo, contenders, changed);
  return { files, notes: notes.flatMap(({ path, text }) => (files.has(path) ? [text] : [])) };
}

/** @returns ids first, each claim with all that make it */
async function contestsIn(
  { repo, kinds }: SiteContext,
  sides: TreeSides,
  merged: MergedFiles,
): Promise<[Claim, Contender[]][]> {
  const found = new Map<string, [Claim, Contender[]]>();
  const pace = openPace();
  for (const path of new Set([...sides.ours.keys(), ...merged.keys()])) {
    const kind = mainOf(kinds, path);
    const file = merged.has(path) ? merged.get(path) : sides.ours.get(path)?.after;
    if (!kind || !file) continue;
    await pace();
    const data = await dataOf(repo, path, file);
    for (const claim of data ? claimsOf(kind, data) : []) {
      const contest = found.get(claim.key) ?? [claim, []];
      found.set(claim.key, contest);
      contest[1].push({ path, kind, file });
    }
  }
  const contests: [Claim, Contender[]][] = [];
  for (const contest of found.values()) {
    await pace();
    if (contest[1].length > 1 && (await isNew(repo, sides, contest))) contests.push(contest);
  }
  return contests.toSorted(([a], [b]) => Number(a.language !== undefined) - Number(b.language !== undefined));
}

/** Whether on neither side all of the records made the claim. */
async function isNew(repo: Repo, sides: TreeSides, [{ key }, all]: [Claim, Contender[]]): Promise<boolean> {
  for (const side of ["ours", "theirs"] as const) {
    let count = 0;
    for (const { path, kind } of all) {
      const file = versionsOf(sides, path)[side];
      const data = file && (await dataOf(repo, path, file));
      if (data && claimsOf(kind, data).some((claim) => claim.key === key)) count++;
    }
    if (count === all.length) return false;
  }
  return true;
}

/** By path, the data of the records that give way. */
function settle(
  { locales }: SiteContext,
  { key, language }: Claim,
  claimants: readonly Claimant[],
  taken: ReadonlySet<string>,
): Map<Path, JsonObject> {
  if (language !== undefined) {
    return settlePermalink(
      claimants,
      language,
      (permalink) => taken.has(permalinkKey(language, permalink)) || isReserved(locales, permalink),
    );
  }
  const family = key.slice(0, key.lastIndexOf("\n"));
  const given = new Set<Id>();
  return settleId(claimants, (path) => {
    // Derived from what is the same in every clone, so that two that merge the same commits agree.
    for (let number = 1; ; number++) {
      const id = derivedId(`${path}\n${key}\n${number}`);
      if (given.has(id) || taken.has(`${family}\n${id}`)) continue;
      given.add(id);
      return id;
    }
  });
}

/** The claims of all records in the merged tree. Read only when there is a contest, which is rare. */
async function keysOfTree({ repo, kinds }: SiteContext, ours: Oid, merged: MergedFiles): Promise<Set<string>> {
  const files = new Map<Path, { readonly oid: Oid; readonly bytes?: Uint8Array } | null>();
  const folders = kinds.flatMap((kind) => (kind.opaque ? [] : [kind.dir]));
  for (const [path, oid] of await repo.tree(ours, folders)) files.set(path, { oid });
  for (const [path, file] of merged) files.set(path, file);
  const keys = new Set<string>();
  const pace = openPace();
  for (const [path, file] of files) {
    const kind = mainOf(kinds, path);
    if (!kind || !file) continue;
    await pace();
    const data = await dataOf(repo, path, file);
    for (const { key } of data ? claimsOf(kind, data) : []) keys.add(key);
  }
  return keys;
}

/** A file that the change would make too large is left as it is; `cms check` then reports that two records claim one id or permalink. */
async function edited(
  repo: Repo,
  contenders: ReadonlyMap<Path, Contender>,
  changed: ReadonlyMap<Path, JsonObject>,
): Promise<Map<Path, MergedFile>> {
  const files = new Map<Path, MergedFile>();
  for (const [path, data] of changed) {
    const contender = contenders.get(path);
    if (!contender) continue;
    const { file, kind } = contender;
    const before = file.bytes ?? (await repo.blob(file.oid));
    const order = kind.order(kind.split(path)?.part ?? "");
    try {
      const bytes = editRecord(path, before, { ...decodeRecord(path, before), data }, order);
      files.set(path, { mode: file.mode, oid: oidOf("blob", bytes), bytes });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
  return files;
}

/** The kind of the record whose main file this is; undefined for any other file. */
function mainOf(kinds: readonly AnyKind[], path: Path): AnyKind | undefined {
  const place = placeOf(kinds, path);
  return place && !place.kind.opaque && mainPart([place.part]) !== undefined ? place.kind : undefined;
}

/** undefined for a file that does not parse: it is named by `cms check`, and claims nothing. */
async function dataOf(
  repo: Repo,
  path: Path,
  file: { readonly oid: Oid; readonly bytes?: Uint8Array },
): Promise<JsonObject | undefined> {
  const bytes = file.bytes ?? (await repo.blob(file.oid));
  try {
    return decodeRecord(path, bytes).data;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

const permalinkKey = (language: string, permalink: string): string =>
  `permalink ${language}\n${sanitizePermalink(permalink)}`;

function claimsOf(kind: AnyKind, data: JsonObject): Claim[] {
  const id = own(data, "id");
  const ids = typeof id === "number" ? [{ key: `id ${kind.family ?? kind.name}\n${id}` }] : [];
  const translations = kind.family === "page" ? own(data, "translations") : undefined;
  const permalinks = Object.entries(isObject(translations) ? translations : {}).flatMap(([language, text]) => {
    const permalink = isObject(text) ? own(text, "permalink") : undefined;
    return typeof permalink === "string" ? [{ key: permalinkKey(language, permalink), language }] : [];
  });
  return [...ids, ...permalinks];
}

const nameOf = ({ language }: Claim): string => (language === undefined ? "id" : `permalink (${language})`);

const claimed = (data: JsonObject, { language }: Claim): Json | undefined =>
  valueAt(data, language === undefined ? ["id"] : ["translations", language, "permalink"]);
