/**
 * Decides which record owns an id or a permalink that several files claim.
 *
 * The file that claimed it first on HEAD's line of first parents owns it, so that all clones agree and a copied or new
 * file never replaces the one that is served. Uncommitted files rank after committed ones: first the one that is served
 * already, then the record created earlier, then the shorter path. The history is read for contested claims only.
 */
import { derived } from "../../memo.ts";
import { CmsError, messageOf } from "../../errors.ts";
import type { Env } from "../../env.ts";
import { sourceOfPermalink } from "../../model/address/omitted-permalinks.ts";
import type { Lang, Locales } from "../../model/language/locale.ts";
import type { Id, Page } from "../../model/page/page.ts";
import { once } from "../../model/text/once.ts";
import type { FileCodec } from "../codec/file-codec.ts";
import { FileError } from "../codec/file-error.ts";
import { compareArrivals, type History, type Arrival } from "../history/history.ts";
import {
  mainPart,
  qualifiedKey,
  type AnyKind,
  type Base,
  type Entity,
  type IndexName,
  type IndexKey,
} from "../records/record-type.ts";
import type { Oid, Path, Repo } from "../repo.ts";
import { byAge, summaryOf, type Entry } from "../snapshot.ts";

/** A record that claims something. */
export interface Claimant {
  readonly kind: AnyKind;
  readonly entry: Entry;
}

/** What is claimed: an id, or a key such as a permalink. */
export type Claim = { readonly id: Id } | { readonly index: IndexName; readonly key: IndexKey };

export interface OwnerResolver {
  /**
   * The owner among several claimants.
   *
   * @param servedBefore base of the record that had it in the previous content; undefined at a start
   */
  owner(claim: Claim, claimants: readonly Claimant[], servedBefore: Base | undefined): Promise<Claimant>;
  /** See `Since`. @param claimant a page as its files have it */
  since(claimant: Claimant, lang: Lang, known?: number): Promise<number>;
}

export interface OwnershipContext {
  readonly repo: Repo;
  /** Without it, creation dates and paths decide. */
  readonly history?: History | undefined;
  readonly codec: FileCodec;
  readonly kinds: readonly AnyKind[];
  readonly locales: Locales;
  readonly log: Env["log"];
  /** Whether the record that the content before serves has no precedence: in a past commit, and at a start. */
  readonly decidesAnew?: boolean;
}

/** What a version of a file claims, by `keyOf`; undefined if it does not load. */
type Claims = ReadonlySet<string> | undefined;

interface RemovedFile {
  readonly kind: AnyKind;
  readonly path: Path;
  readonly claims: Claims;
}

const keyOf = (claim: Claim): string => ("id" in claim ? `id ${claim.id}` : qualifiedKey(claim.index, claim.key));

/** The claims of file versions, kept between loads since a page may have had many versions. */
const versionsOf = derived((_history: History) => new Map<string, Claims>());
const VERSIONS_MAX = 50_000;

/**
 * @param head the commit the content was loaded with
 * @param files the paths in the working tree
 * @param before the commit of the content before; undefined at a start
 */
export function openOwnerResolver(
  context: OwnershipContext,
  head: Oid | null,
  files: { has(path: Path): boolean },
  before: Oid | null | undefined,
): OwnerResolver {
  const placeOf = arrivals(context, head, files);
  const isChanged = once(async () => (before ? await context.history?.changedSince(before) : undefined));
  /** A file that no commit has may get a place by any: by its own, or by the one of the file that it was moved from. */
  const mayDiffer = async (file: Path, known: number): Promise<boolean> => {
    if (head === before) return false;
    if (known === Infinity) return true;
    try {
      return (await isChanged())?.(file) ?? true;
    } catch {
      return true; // the warning is that of reading the history
    }
  };
  return {
    async owner(claim, claimants, servedBefore) {
      const key = keyOf(claim);
      const served = claimants.find(({ entry }) => entry.base === servedBefore);
      const ranked = [];
      for (const claimant of claimants) {
        // A derived value yields to one stated in a file.
        const isStated = claimsOf(claimant.kind, summaryOf(claimant.entry)).has(key);
        // No file records when a value was first derived, so the age of its record counts.
        const since = isStated ? key : keyOf({ id: summaryOf(claimant.entry).id });
        // Once the removed file's claim has gone to another one, a file that comes later is a copy, not the moved file.
        const place = await placeOf(claimant, since, !served || served === claimant);
        ranked.push({ claimant, isStated, place, isServed: served === claimant });
      }
      ranked.sort((a, b) => {
        if (a.isStated !== b.isStated) return a.isStated ? -1 : 1;
        if (a.place && b.place) return compareArrivals(a.place, b.place) || byAge(a.claimant.entry, b.claimant.entry);
        if (a.place || b.place) return a.place ? -1 : 1;
        return Number(b.isServed) - Number(a.isServed) || byAge(a.claimant.entry, b.claimant.entry);
      });
      return ranked[0]!.claimant;
    },
    async since(claimant, lang, known) {
      if (known !== undefined && !(await mayDiffer(mainFile(claimant.entry), known))) return known;
      const key = derivedKey(claimant.kind, claimant.entry.base, claimant.entry.record as Page, lang, context.locales);
      const place = key === undefined ? undefined : await placeOf(claimant, key, true);
      return place?.[1] ?? Infinity;
    },
  };
}

/**
 * Since which commit a record has claimed something; undefined where no commit has it, or the history cannot be read.
 *
 * @param isMovable whether a file that is not in HEAD may be a moved one, and then takes over the place of the removed
 *   file that had the same id
 */
type PlaceOf = (claimant: Claimant, key: string, isMovable: boolean) => Promise<Arrival | undefined>;

function arrivals(context: OwnershipContext, head: Oid | null, files: { has(path: Path): boolean }): PlaceOf {
  const { repo, kinds, log } = context;
  const history = once(async () => context.history?.read());
  const claimsAt = versionReader(context);
  const removed = new Map<AnyKind, Promise<readonly RemovedFile[]>>();

  /** Since which commit a file of HEAD has claimed this, across renames; undefined if HEAD's version does not. */
  const since = async (kind: AnyKind, path: Path, key: string): Promise<Arrival | undefined> => {
    let place: Arrival | undefined;
    for (const change of (await history())?.(path) ?? []) {
      if (change.after === null) break;
      const claims = kind.opaque ? undefined : await claimsAt(change.path, change.after);
      // While a version does not load, the previous one is served.
      if (claims && !claims.has(key)) break;
      if (claims || kind.opaque) place = change.arrival;
    }
    return place;
  };
  /** Files of HEAD that are missing in the working tree: one of them may have been moved without a commit. */
  const removedFilesOf = async (kind: AnyKind): Promise<RemovedFile[]> => {
    const found: RemovedFile[] = [];
    if (head === null) return found;
    for (const [path, oid] of await repo.tree(head, [kind.dir])) {
      const place = kind.split(path);
      if (!place || files.has(path) || mainPart([place.part]) === undefined) continue;
      found.push({ kind, path, claims: await claimsAt(path, oid) });
    }
    return found;
  };
  const placeOf: PlaceOf = async ({ kind, entry }, key, isMovable) => {
    const main = mainPart(entry.files.keys()) ?? [...entry.files.keys()][0];
    if (main === undefined) return undefined;
    const own = await since(kind, entry.base + main, key);
    if (own || kind.opaque || !isMovable) return own;
    if ((await repo.committed(head, [entry.base + main])).get(entry.base + main)) return undefined;
    const id = keyOf({ id: summaryOf(entry).id });
    for (const each of kinds.filter((other) => other === kind || (other.family && other.family === kind.family))) {
      const gone = removed.get(each) ?? removedFilesOf(each);
      removed.set(each, gone);
      const from = (await gone).find(({ claims }) => claims?.has(id) && claims.has(key));
      if (from) return since(from.kind, from.path, key);
    }
    return undefined;
  };
  return async (claimant, key, isMovable) => {
    try {
      return await placeOf(claimant, key, isMovable);
    } catch (error) {
      log.warn(`The history does not show how long ${claimant.entry.base} has existed: ${messageOf(error)}`);
      return undefined;
    }
  };
}

/** What versions of files claim. */
function versionReader({ repo, codec, history, kinds, locales }: OwnershipContext) {
  const versions = history ? versionsOf(history) : new Map<string, Claims>();
  const read = async (path: Path, oid: Oid): Promise<Claims> => {
    // The history of a file may lead to a path of another kind.
    const kind = kinds.find((each) => each.split(path));
    const place = kind?.split(path);
    if (!kind || !place) return undefined;
    try {
      const content = await codec.decode(path, await repo.blob(oid));
      const record = kind.fromFiles(place.base, new Map([[place.part, content]]), locales) as Entity;
      const derived = kind.completion ? locales.codes : [];
      const keys = derived.flatMap((lang) => derivedKey(kind, place.base, record as Page, lang, locales) ?? []);
      return new Set([...claimsOf(kind, record), ...keys]);
    } catch (error) {
      if (error instanceof FileError || (error instanceof CmsError && error.code !== "not_found")) return undefined;
      throw error;
    }
  };
  return async (path: Path, oid: Oid): Promise<Claims> => {
    const key = `${oid} ${path}`;
    if (versions.has(key)) return versions.get(key);
    const claims = await read(path, oid);
    if (versions.size >= VERSIONS_MAX) versions.clear();
    versions.set(key, claims);
    return claims;
  };
}

function claimsOf(kind: AnyKind, record: Entity): ReadonlySet<string> {
  const claims = new Set([keyOf({ id: record.id })]);
  kind.summaries?.keys(
    record,
    (index, key) => void (kind.summaries!.isUnique(index) && claims.add(keyOf({ index, key }))),
  );
  return claims;
}

/** The claim of a page to the permalink that is derived from its title and its place. */
function derivedKey(kind: AnyKind, base: Base, page: Page, lang: Lang, locales: Locales): string | undefined {
  const folder = kind.nesting?.isOpen(page) ? base.slice(0, base.lastIndexOf("/")) : "";
  const source = sourceOfPermalink(page, lang, locales);
  return source && `derived ${folder} ${source}`;
}

export const mainFile = (entry: Entry): Path => entry.base + (mainPart(entry.files.keys()) ?? "");
