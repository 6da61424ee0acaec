/** Former texts of a content block. */
import type { Instant } from "../../model/time/instant.ts";
import type { Id } from "../../model/page/page.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { FileChange, History } from "../history/history.ts";
import { CONTENTS } from "../records/contents.ts";
import { changesOfRecord } from "./page-history.ts";
import type { Store } from "../write/store.ts";

export interface ContentVersion {
  /** When the text was replaced. */
  readonly at: Instant;
  readonly data: string;
}

const VERSIONS_MAX = 20;

/** The replaced texts of a block in all languages, newest first. */
export async function contentVersions(
  store: Store,
  history: History,
  id: Id,
  locales: Locales,
): Promise<ContentVersion[]> {
  const [path] = store.current.pathsOf(CONTENTS, id);
  if (path === undefined) return [];
  const changes = await changesOfRecord(store, await history.changesOf(path), id);
  const versions: ContentVersion[] = [];
  let newer: { readonly change: FileChange; readonly texts: Texts } | undefined;
  for (const change of changes) {
    if (versions.length >= VERSIONS_MAX) break;
    const texts = await textsAt(store, change, locales);
    for (const lang of newer ? locales.codes : []) {
      const text = texts[lang] ?? "";
      if (newer && text !== "" && text !== (newer.texts[lang] ?? ""))
        versions.push({ at: newer.change.at, data: text });
    }
    newer = { change, texts };
  }
  return versions.slice(0, VERSIONS_MAX);
}

type Texts = { readonly [lang: string]: string };

async function textsAt({ codec, repo }: Store, { path, after }: FileChange, locales: Locales): Promise<Texts> {
  const location = CONTENTS.split(path);
  if (!location || after === null) return {};
  const content = await codec.decode(path, await repo.blob(after));
  return CONTENTS.fromFiles(location.base, new Map([[location.part, content]]), locales).content;
}
