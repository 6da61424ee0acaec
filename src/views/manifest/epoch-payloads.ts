/** A digest of the public payloads that any page may show: menus, site-wide blocks, meta types and meta instances. */
import { createHash } from "node:crypto";
import type { Instant } from "../../model/time/instant.ts";
import { canonicalJson } from "../../model/input/json.ts";
import type { Id, Page } from "../../model/page/page.ts";
import { CONTENT, type AnyKind, type Base, type Reader } from "../../store/records/record-type.ts";
import { CONTENTS } from "../../store/records/contents.ts";
import { MEDIA_FOLDERS } from "../../store/records/media/media-folders.ts";
import { MEDIA } from "../../store/records/media/media.ts";
import { MENUS } from "../../store/records/menus.ts";
import { META_INSTANCES } from "../../store/records/meta-instances.ts";
import { META_TYPES } from "../../store/records/meta-types.ts";
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { pace } from "../../time-slices.ts";
import type { LogEntry, Path } from "../../store/repo.ts";
import type { Snapshot } from "../../store/snapshot.ts";
import { contentPayload } from "../records/content.ts";
import { trackingReader } from "./dependencies.ts";
import { menuPayload } from "../records/menu.ts";
import { instancePayload, typePayload } from "../meta/meta.ts";
import type { View } from "../view.ts";

export const SHARED_KINDS: readonly AnyKind[] = [MENUS, CONTENTS, META_TYPES, META_INSTANCES];

/** What the payloads depend on. Stored between starts, so it must stay small. */
export type SharedDependencies = {
  /** Folders where any change may change a payload. */
  readonly dirs: readonly Path[];
  /** The paths without suffix of the pages that are read. */
  readonly bases: readonly Base[];
  /** Whether a page is referred to that does not exist. */
  readonly hasMissingPage: boolean;
  /** The moments at which one of the pages becomes public, in ascending order. */
  readonly moments: readonly Instant[];
};

export interface SharedPayloads {
  readonly digest: string;
  readonly dependencies: SharedDependencies;
}

/** Works in slices, between which other requests are served. @param view on the public surface */
export async function sharedPayloadsOf(view: Omit<View, "content">, content: Snapshot): Promise<SharedPayloads> {
  const reads = recordingReader(content);
  const hash = createHash("sha1");
  for (const payload of sharedPayloads({ ...view, content: reads.reader })) {
    // A menu of thousands of nodes takes long in each of the three.
    await pace();
    const text = canonicalJson(payload);
    await pace();
    hash.update(`${text}\n`);
    await pace();
  }
  return { digest: hash.digest("hex"), dependencies: reads.dependencies() };
}

function* sharedPayloads(view: View): Generator<object> {
  for (const type of view.content.all(META_TYPES)) yield { type: typePayload(type) };
  for (const lang of view.locales.codes) {
    const seen = { ...view, lang };
    for (const menu of view.content.all(MENUS)) yield { lang, menu: menuPayload(seen, menu) };
    for (const block of view.content.all(CONTENTS))
      if (block.page === null) yield { lang, block: contentPayload(seen, block) };
    for (const instance of view.content.all(META_INSTANCES)) yield { lang, instance: instancePayload(seen, instance) };
  }
}

/** A reader that records what is read with it. */
function recordingReader(content: Snapshot): { readonly reader: Reader; dependencies(): SharedDependencies } {
  const tables = new Set<AnyKind>();
  const pages = new Set<Id>();
  const reader = trackingReader(content, {
    record: (kind, id) => void (PAGE_KINDS.includes(kind) ? pages.add(id) : tables.add(kind)),
    table: (kind) => void tables.add(kind),
  });
  return {
    reader,
    dependencies() {
      const dirs = new Set([...SHARED_KINDS, ...tables].map(({ dir }) => dir));
      // A name may stand for another record after a change of any.
      if (content.names.size > 0) dirs.add(CONTENT);
      // Items consist of record and file; folders exist by their record or by an item in them.
      if (tables.has(MEDIA) || tables.has(MEDIA_FOLDERS))
        for (const dir of [MEDIA.dir, MEDIA_FOLDERS.dir, "media"]) dirs.add(dir);
      const bases: Base[] = [];
      const moments = new Set<Instant>();
      let hasMissingPage = false;
      for (const id of pages) {
        const kind = PAGE_KINDS.find((each) => content.table(each).byId.has(id));
        const entry = kind && content.table(kind).byId.get(id);
        if (!kind || !entry) {
          hasMissingPage = true;
          continue;
        }
        bases.push(entry.base);
        // Other files contribute to this record, and each of them can change it.
        if (content.table(kind).byBase.get(entry.base) !== entry) dirs.add(kind.dir);
        for (const { published_at } of Object.values((entry.record as Page).translations))
          if (published_at) moments.add(published_at);
      }
      return { dirs: [...dirs].sort(), bases: bases.sort(), hasMissingPage, moments: [...moments].sort() };
    },
  };
}

const isDraft = (path: string): boolean => path.slice(path.lastIndexOf("/") + 1).includes(".draft.");

/** Whether a commit may have changed the payloads. @param changed the paths that it changed */
export function mayAffect({ dirs, bases, hasMissingPage }: SharedDependencies, changed: LogEntry["changed"]): boolean {
  const known = new Set(bases);
  for (const [path, { before, after }] of changed) {
    if (dirs.some((dir) => path === dir || path.startsWith(`${dir}/`))) return true;
    const base = isDraft(path) ? undefined : PAGE_KINDS.map((kind) => kind.split(path)?.base).find(Boolean);
    if (base !== undefined && (known.has(base) || (hasMissingPage && (before === null || after === null)))) return true;
  }
  return false;
}
