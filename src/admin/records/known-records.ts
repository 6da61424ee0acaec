/** The names of records that references on the screen have as ids: each is asked for once. */
import { LINK_TARGET, MEDIA_MODEL } from "../../model/fields/definition.ts";
import { signal, type Signal } from "@preact/signals";
import { get } from "../api.ts";
import { text as inWords } from "../i18n.ts";
import { contentLanguage } from "../site.ts";
import type { Json, Values } from "../json.ts";
import { smallPicture } from "../media/small-picture.ts";

export { LINK_TARGET, MEDIA_MODEL };

export interface KnownRecord {
  readonly id: number;
  readonly name: string;
  /** What tells it from others of the same name: its address or file; may be empty. */
  readonly detail: string;
  /** Where the page is on the site; empty for records without an address. */
  readonly address: string;
  /** Address of a small picture of it; empty where it has none. */
  readonly picture: string;
  /** Whether it is a picture that people who do not see it are not told of. */
  readonly lacksWords: boolean;
}

/** Paths of the API by model. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  [LINK_TARGET]: ["pages", "articles"],
  [MEDIA_MODEL]: ["media"],
  "cms.MediaFolder": ["media-folders"],
  "cms.MetaType": ["meta-types"],
  "cms.MetaInstance": ["meta-instances"],
};

/** By model, id and language, whose names they are. */
const known = new Map<string, Signal<KnownRecord | undefined>>();

/** @param model such as `cms.Tag` or `pages.room` */
export const pathsOf = (model: string): readonly string[] => {
  const [app = "", name = ""] = model.split(".");
  return PATHS[model] ?? [app === "pages" ? `models/${name}` : `${name.toLowerCase()}s`];
};

const keyOf = (model: string, id: number): string => `${model} ${id} ${contentLanguage.value}`;

/** The record of an id; undefined until it is known. */
export function knownRecord(model: string, id: number): KnownRecord | undefined {
  const key = keyOf(model, id);
  const found = known.get(key) ?? signal<KnownRecord | undefined>(undefined);
  if (!known.has(key)) {
    known.set(key, found);
    void firstOf(pathsOf(model), id).then(
      (record) => (found.value = nameRecord(record)),
      () => (found.value = { id, name: `#${id}`, detail: "", address: "", picture: "", lacksWords: false }),
    );
  }
  return found.value;
}

async function firstOf([path = "", ...others]: readonly string[], id: number): Promise<Values> {
  try {
    return await get<Values>(`${path}/${id}/?language=${contentLanguage.value}`);
  } catch (error) {
    if (others.length === 0) throw error;
    return firstOf(others, id);
  }
}

/** @param record as the API serves it, alone or in place of its id */
export function remember(model: string, record: Values): KnownRecord {
  const named = nameRecord(record);
  const key = keyOf(model, named.id);
  const before = known.get(key);
  if (before) before.value = named;
  else known.set(key, signal<KnownRecord | undefined>(named));
  return named;
}

/** Keys that name a record, the most telling first. */
const NAMES = ["title", "name", "permalink", "identifier", "key", "username"];

/** Links have the address of a page without its title: such a record is asked for. */
export const isNamed = ({ file, ...record }: Values): boolean =>
  NAMES.some((key) => key !== "permalink" && text(record[key]) !== "") || text(file) !== "";

function nameRecord(record: Values): KnownRecord {
  const id = Number(record.id);
  const file = text(record.file).replace(/^.*\//, "");
  const name = NAMES.map((key) => text(record[key])).find((value) => value !== "") ?? (file || `#${id}`);
  const detail =
    record.mime_type && record.deleted_at ? inWords("TRS") : text(record.permalink) || decodeURIComponent(file);
  const address = text(record.routerlink) || text(record.permalink);
  const picture = smallPicture(record);
  const lacksWords = picture !== "" && text(record.alt_text) === "";
  return { id, name, detail: detail === name ? "" : detail, address, picture, lacksWords };
}

const text = (value: Json | undefined): string => (typeof value === "string" ? value : "");
