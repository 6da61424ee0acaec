/** Which ids, permalinks and aliases a record's main file states, by keys that are equal where two records clash. */
import { isObject, own, type JsonObject } from "../../../model/input/json.ts";
import type { Locales } from "../../../model/language/locale.ts";
import { statedAliases } from "../../../model/merge/unused-aliases.ts";
import { sanitizePermalink } from "../../../model/address/permalink.ts";
import { dataIn } from "../../codec/codec.ts";
import { placeOf } from "../../content/load.ts";
import { mainPart, type AnyKind } from "../../records/record-type.ts";
import type { Oid, Path, Repo } from "../../repo.ts";

/** What one record of the site may have: the id in its family, or a page's permalink in a language. */
export interface StatedClaim {
  readonly key: string;
  /** Absent for an id. */
  readonly language?: string;
}

/** A former permalink of a page. */
export interface StatedAlias {
  /** That of the claim of a page which has this permalink. */
  readonly key: string;
  readonly language: string;
  readonly from: string;
}

export const permalinkClaimKey = (language: string, permalink: string): string =>
  `permalink ${language}\n${sanitizePermalink(permalink)}`;

export function statedClaims(kind: AnyKind, data: JsonObject): StatedClaim[] {
  const id = own(data, "id");
  const ids = typeof id === "number" ? [{ key: `id ${kind.family ?? kind.name}\n${id}` }] : [];
  const translations = kind.family === "page" ? own(data, "translations") : undefined;
  const permalinks = Object.entries(isObject(translations) ? translations : {}).flatMap(([language, text]) => {
    const permalink = isObject(text) ? own(text, "permalink") : undefined;
    return typeof permalink === "string" ? [{ key: permalinkClaimKey(language, permalink), language }] : [];
  });
  return [...ids, ...permalinks];
}

export const claimedAliases = (kind: AnyKind, data: JsonObject, locales: Locales): StatedAlias[] =>
  kind.family === "page"
    ? statedAliases(data, locales).map((alias) => ({ ...alias, key: permalinkClaimKey(alias.language, alias.from) }))
    : [];

/** The kind of the record whose main file this is; undefined for any other file. */
export function mainOf(kinds: readonly AnyKind[], path: Path): AnyKind | undefined {
  const place = placeOf(kinds, path);
  return place && !place.kind.opaque && mainPart([place.part]) !== undefined ? place.kind : undefined;
}

/** undefined for a file that does not parse: it is named by `cms check`, and claims nothing. */
export async function dataOf(
  repo: Repo,
  path: Path,
  file: { readonly oid: Oid; readonly bytes?: Uint8Array },
): Promise<JsonObject | undefined> {
  return dataIn(path, file.bytes ?? (await repo.blob(file.oid)));
}
