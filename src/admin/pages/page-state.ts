/** One page in one language while it is edited: a record whose values are saved as its draft in that language. */
import type { Signal } from "@preact/signals";
import { get, request } from "../api.ts";
import { storedData } from "../fields/stored-form.ts";
import { isRecord, type Values } from "../json.ts";
import { openRecord, type RecordState } from "../records/record-state.ts";
import { suffixOf } from "../site.ts";
import { PAGE_FIELDS, SHARED, TEXTS } from "./page-fields.ts";
import { modelOfPage, type PageModel } from "./page-models.ts";
import type { PageRecord } from "./page-record.ts";
import { openTypedValues } from "./typed/typed-values.ts";

/** Pages of every page model, and articles: the API has both with the same actions. */
export type Collection = "pages" | "articles";

export interface PageState extends RecordState {
  readonly collection: Collection;
  readonly id: number;
  readonly lang: string;
  /** The model that declares the fields of `template_data`; undefined: any data. */
  readonly model: PageModel | undefined;
  readonly record: Signal<PageRecord>;
  /** Discards the draft and what was typed. @throws ApiError */
  discard(): Promise<void>;
}

/** The pages whose form was left and is being saved, by path. */
const leaving = new Map<string, Promise<unknown>>();

/** All languages are one record: one that was opened before another one is saved would take that for another editor's work. */
export function leavePage({ collection, id }: PageState, saved: Promise<unknown>): void {
  const path = `${collection}/${id}`;
  const done: Promise<void> = saved.then(() => {
    if (leaving.get(path) === done) leaving.delete(path);
  });
  leaving.set(path, done);
}

/** @throws ApiError */
export async function openPage(id: number, lang: string, collection: Collection = "pages"): Promise<PageState> {
  const path = `${collection}/${id}`;
  await leaving.get(path);
  const query = `language=${encodeURIComponent(lang)}`;
  const modelOf = (page: Values): Promise<PageModel | undefined> => modelOfPage(String(page.related_name));
  const state = await openRecord({
    path: collection,
    id,
    query,
    blank: {},
    draft: "draft",
    values: async (page) => editableValues(await get<Values>(`${path}/preview/?${query}`), lang, await modelOf(page)),
    sent: (changes, page) => draftChanges(changes, page.draft_data as Values, lang),
    kept: (version) => openTypedValues(path, lang, version),
    isOneLanguage: true,
  });
  return {
    ...state,
    ...{ id, collection, lang },
    model: await modelOf(state.payload.value),
    record: state.payload as unknown as Signal<PageRecord>,
    async discard() {
      await request("POST", `${path}/discard-draft/?${query}`, { version: state.version() });
      await state.reload();
    },
  };
}

/** The values of a payload in the form in which they are stored. */
export function editableValues(payload: Values, lang: string, model: PageModel | undefined): Values {
  const texts = (isRecord(payload.translations) && payload.translations[lang]) as Values;
  const data = texts.template_data ?? {};
  const values: Values = {
    ...payload,
    ...texts,
    template_data: isRecord(data) && model ? storedData(model.schema, data) : data,
  };
  const names = [...TEXTS, ...SHARED];
  const definitions = names.map((name) => ({ ...PAGE_FIELDS[name]!, name }));
  return storedData(definitions, Object.fromEntries(names.map((name) => [name, values[name] ?? null])));
}

/**
 * Another client may have put a text of the draft under `translations` or under a name with a suffix, which win over the
 * plain name: the text is then sent with the suffix, which wins over both.
 */
const draftChanges = (changes: Values, draft: Values, lang: string): Values =>
  Object.fromEntries(
    Object.entries(changes).map(([name, value]) => {
      const { translations } = draft;
      const texts = isRecord(translations) ? translations[lang] : undefined;
      const suffixed = name + suffixOf(lang);
      const isElsewhere = suffixed in draft || (isRecord(texts) && name in texts);
      return [TEXTS.includes(name) && isElsewhere ? suffixed : name, value];
    }),
  );
