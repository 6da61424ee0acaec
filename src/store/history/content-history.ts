/** Former texts of a content block, as commits tell them. */
import type { Instant } from "../../model/instant.ts";
import type { Id } from "../../model/page.ts";
import type { Locales } from "../../model/locale.ts";
import type { History } from "./history.ts";
import { CONTENTS } from "../content/records/contents.ts";
import { ownChanges } from "./page-history.ts";
import type { Store } from "../write/store.ts";

export interface ContentVersion {
  /** When the text was replaced. */
  readonly at: Instant;
  readonly data: string;
}

const VERSIONS_MAX = 20;

/** Texts a block had and has no more, of whichever language a commit changed, newest first (contract.md 11.3). */
export async function contentVersions(
  store: Store,
  history: History,
  id: Id,
  locales: Locales,
): Promise<ContentVersion[]> {
  const [path] = store.current.pathsOf(CONTENTS, id);
  if (path === undefined) return [];
  const changes = await ownChanges(store, await history.changesOf(path), id);
  const texts = async (at: number): Promise<{ readonly [lang: string]: string }> => {
    const change = changes[at];
    if (!change) return {};
    const place = CONTENTS.split(change.path)!;
    return CONTENTS.fromFiles(
      place.base,
      new Map([[place.part, await store.codec.decode(change.path, await store.repo.blob(change.after!))]]),
      locales,
    ).content;
  };
  const versions: ContentVersion[] = [];
  let newer = await texts(0);
  for (let at = 1; at < changes.length && versions.length < VERSIONS_MAX; at++) {
    const older = await texts(at);
    for (const lang of locales.codes) {
      const before = older[lang] ?? "";
      if (before !== "" && before !== (newer[lang] ?? "")) versions.push({ at: changes[at - 1]!.at, data: before });
    }
    newer = older;
  }
  return versions.slice(0, VERSIONS_MAX);
}
