/** What menus, blocks without a page, meta types and meta instances answer the public: whatever any page may show. */
import { createHash } from "node:crypto";
import type { Instant } from "../model/instant.ts";
import { canonicalJson } from "../model/json.ts";
import type { Id, Page } from "../model/page.ts";
import type { AnyKind, Base, Kind, Reader } from "../store/kind.ts";
import { CONTENTS } from "../store/kinds/contents.ts";
import { MEDIA_FOLDERS } from "../store/kinds/media-folders.ts";
import { MEDIA } from "../store/kinds/media.ts";
import { MENUS } from "../store/kinds/menus.ts";
import { META_INSTANCES } from "../store/kinds/meta-instances.ts";
import { META_TYPES } from "../store/kinds/meta-types.ts";
import { PAGE_KINDS } from "../store/page-kinds.ts";
import type { LogEntry, Path } from "../store/repo.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { contentPayload } from "./content.ts";
import { menuPayload } from "./menu.ts";
import { instancePayload, typePayload } from "./meta.ts";
import type { View } from "./view.ts";

export const ANSWERING: readonly AnyKind[] = [MENUS, CONTENTS, META_TYPES, META_INSTANCES];

/** What answers depend on. Small enough to be kept between starts. */
export type Depends = {
  /** Folders any change in which may change an answer. */
  readonly dirs: readonly Path[];
  /** The pages that are read, by their base. */
  readonly bases: readonly Base[];
  /** Whether a page is asked for that is not there. */
  readonly isLacking: boolean;
  /** When any of the pages goes public, in ascending order. */
  readonly moments: readonly Instant[];
};

export interface Answers {
  readonly digest: string;
  readonly depends: Depends;
}

/** Milliseconds of work after which others get their turn. */
const SLICE = 15;

/** @param view of the public */
export async function answersOf(view: Omit<View, "content">, content: Snapshot): Promise<Answers> {
  const reads = openReads(content);
  const hash = createHash("sha1");
  let since = performance.now();
  for (const payload of payloads({ ...view, content: reads.reader })) {
    hash.update(`${canonicalJson(payload)}\n`);
    if (performance.now() - since < SLICE) continue;
    await new Promise((turn) => setImmediate(turn));
    since = performance.now();
  }
  return { digest: hash.digest("hex"), depends: reads.depends() };
}

function* payloads(view: View): Generator<object> {
  for (const type of view.content.all(META_TYPES)) yield { type: typePayload(type) };
  for (const lang of view.locales.codes) {
    const seen = { ...view, lang };
    for (const menu of view.content.all(MENUS)) yield { lang, menu: menuPayload(seen, menu) };
    for (const block of view.content.all(CONTENTS))
      if (block.page === null) yield { lang, block: contentPayload(seen, block) };
    for (const instance of view.content.all(META_INSTANCES)) yield { lang, instance: instancePayload(seen, instance) };
  }
}

/** A reader that notes what is read through it. */
function openReads(content: Snapshot): { readonly reader: Reader; depends(): Depends } {
  const tables = new Set<AnyKind>();
  const pages = new Set<Id>();
  const isPages = (kind: AnyKind): boolean => PAGE_KINDS.includes(kind as Kind<Page>);
  const note = (kind: AnyKind, id: Id): void => void (isPages(kind) ? pages.add(id) : tables.add(kind));
  const reader: Reader = {
    owners: content.owners,
    find(kind, id) {
      note(kind, id);
      return content.find(kind, id);
    },
    get(kind, id) {
      note(kind, id);
      return content.get(kind, id);
    },
    all(kind) {
      tables.add(kind);
      return content.all(kind);
    },
    outlines(kind) {
      tables.add(kind);
      return content.outlines(kind);
    },
  };
  return {
    reader,
    depends() {
      const dirs = new Set([...ANSWERING, ...tables].map(({ dir }) => dir));
      // An item is its record and its file, and folders are both of their records and of their items.
      if (tables.has(MEDIA) || tables.has(MEDIA_FOLDERS))
        for (const dir of [MEDIA.dir, MEDIA_FOLDERS.dir, "media"]) dirs.add(dir);
      const bases: Base[] = [];
      const moments = new Set<Instant>();
      let isLacking = false;
      for (const id of pages) {
        const kind = PAGE_KINDS.find((each) => content.table(each).byId.has(id));
        const entry = kind && content.table(kind).byId.get(id)!;
        if (!kind || !entry) {
          isLacking = true;
          continue;
        }
        bases.push(entry.base);
        // What others complete changes with any of them.
        if (content.table(kind).byBase.get(entry.base) !== entry) dirs.add(kind.dir);
        for (const { published_at } of Object.values((entry.record as Page).translations))
          if (published_at) moments.add(published_at);
      }
      return { dirs: [...dirs].sort(), bases: bases.sort(), isLacking, moments: [...moments].sort() };
    },
  };
}

const isDraft = (path: string): boolean => path.slice(path.lastIndexOf("/") + 1).includes(".draft.");

/** Whether a commit may have changed what answers depend on. One that may not need not be looked at. */
export function concerns({ dirs, bases, isLacking }: Depends, changed: LogEntry["changed"]): boolean {
  const known = new Set(bases);
  for (const [path, { before, after }] of changed) {
    if (dirs.some((dir) => path === dir || path.startsWith(`${dir}/`))) return true;
    const base = isDraft(path) ? undefined : PAGE_KINDS.map((kind) => kind.split(path)?.base).find(Boolean);
    if (base !== undefined && (known.has(base) || (isLacking && (before === null || after === null)))) return true;
  }
  return false;
}
