/** One page in one language while it is edited: what the server has, what was typed, and the verbs. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, get, request, type Answer, type FieldErrors } from "../api.ts";
import type { Status } from "../ui/status-badge.tsx";
import { storedData, storedReference } from "../fields/stored-form.ts";
import { isList, isRecord, isSame, type Json, type Values } from "../json.ts";
import { languages, suffixOf } from "../site.ts";
import { contestedValues, mergedValues, type Contested } from "../merging/contested-values.ts";
import { modelOfPage, type PageModel } from "./page-models.ts";
import { openTypedValues } from "./typed-values.ts";

/** The fields of a page that decide what can be done with it. */
export interface PageRecord {
  readonly id: number;
  readonly title: string | null;
  readonly status: Status;
  readonly permalink: string | null;
  readonly routerlink: string | null;
  readonly published_at: string | null;
  readonly date_updated_at: string;
  readonly has_draft: boolean;
  readonly draft_scheduled_for: string | null;
  /** Tells the page model. */
  readonly related_name: string;
  /** The pending draft as it was sent, by this or another client. */
  readonly draft_data: Values;
}

/** When something of the page goes live by itself; null: nothing does. */
export const plannedMoment = ({ draft_scheduled_for: draft, status, published_at }: PageRecord): string | null =>
  draft ?? (status === "PLA" ? published_at : null);

/** Pages of every page model, and articles: the API has both with the same actions. */
export type Collection = "pages" | "articles";

export interface PageState {
  readonly collection: Collection;
  readonly id: number;
  readonly lang: string;
  /** The model that declares the fields of `template_data`; undefined: any data. */
  readonly model: PageModel | undefined;
  readonly record: Signal<PageRecord>;
  readonly values: Signal<Values>;
  readonly changes: ReadonlySignal<Values>;
  /** The changes as the API takes them for the draft. */
  readonly sent: ReadonlySignal<Values>;
  readonly errors: Signal<FieldErrors>;
  readonly progress: Signal<"idle" | "saving">;
  /** What another editor saved to the same values; undefined: nothing that needs a choice. */
  readonly contested: Signal<readonly Contested[] | undefined>;
  set(name: string, value: Json): void;
  /**
   * Saves what was typed as the draft. Values that only another editor has changed meanwhile are taken over first.
   *
   * @returns whether nothing is left to be saved; false when there is something `contested`
   */
  save(): Promise<boolean>;
  /** Takes over what another editor has saved. @returns whether nothing is `contested` @throws ApiError */
  catchUp(): Promise<boolean>;
  /**
   * Decides what is contested, and continues with theirs and what was typed.
   *
   * @param takesTheirs by path @returns whether `run` goes on with its verb, which saves first
   */
  settle(takesTheirs: (path: string) => boolean): boolean;
  /** Leaves what is contested as it is, until the next save. */
  postpone(): void;
  /** The version that the values are based on, as the API names it. */
  version(): string | null;
  /** Loads the page again, without what was typed. */
  reload(): Promise<void>;
  /**
   * Saves first, and waits for the decision on what is contested.
   *
   * @param verb such as `publish` @returns false where it was postponed @throws ApiError
   */
  run(verb: string, body?: Values): Promise<boolean>;
  /** Discards the draft and what was typed. @throws ApiError */
  discard(): Promise<void>;
  /** Changes the live page, not the draft. @throws ApiError */
  patch(body: Values): Promise<void>;
}

/** A version of the page that another editor has saved. */
interface Newer {
  readonly answer: Answer<PageRecord>;
  readonly values: Values;
  /** What both followed from; undefined: not known. */
  readonly base: Values | undefined;
}

/** The editable fields with a value for each language, without fallback, and those with one value. */
export const TEXTS = [
  "title",
  "permalink",
  "autopermalink",
  "description",
  "template_data",
  "breadcrumbs_title",
  "keywords",
  "canonical",
  "indexable",
  "og_title",
  "og_description",
  "og_type",
  "og_url",
  // Of articles, as the last ones below.
  "content",
];
const GLOBALS = [
  "parent_page",
  "template",
  "ordering",
  "identifier",
  "og_image",
  "robots",
  "highlight_image",
  "author",
  "tags",
];
const TARGETS: Readonly<Record<string, string>> = {
  parent_page: "cms.UrlNode",
  og_image: "cms.Media",
  highlight_image: "cms.Media",
  author: "auth.User",
  tags: "cms.Tag",
};

/** @throws ApiError */
export async function openPage(id: number, lang: string, collection: Collection = "pages"): Promise<PageState> {
  const of = (action: string): string => `${collection}/${id}/${action}?language=${encodeURIComponent(lang)}`;
  const live = await request<PageRecord>("GET", of(""));
  const record = signal(live.value);
  let version = live.version;
  const model = await modelOfPage(live.value.related_name);
  const readValues = async (): Promise<Values> => editableValues(await get<Values>(of("preview/")), lang, model);
  const stored = signal(await readValues());
  const typed = await openTypedValues(`${collection}/${id}`, lang, () => version);
  const values = signal<Values>({ ...stored.value, ...typed.before });
  const errors = signal<FieldErrors>({});
  const progress = signal<"idle" | "saving">("idle");
  const contested = signal<readonly Contested[] | undefined>(undefined);
  /** What the server has in place of what the values are based on. */
  let newer: Newer | undefined;
  /** Goes on with a verb, or gives it up. */
  let decide: ((goesOn: boolean) => void) | undefined;
  const changes = computed(() =>
    Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !isSame(value, stored.value[name]))),
  );

  const sent = computed(() => draftChanges(changes.value, record.value.draft_data, lang));

  const take = (answer: Answer<PageRecord>): void => {
    record.value = answer.value;
    version = answer.version;
  };

  /** @returns whether nothing is contested */
  function compare(found: Newer): boolean {
    newer = found;
    const both = contestedValues(found.base, changes.value, found.values);
    if (both.length === 0) settle(() => false);
    else contested.value = both;
    return both.length === 0;
  }

  function settle(takesTheirs: (path: string) => boolean): boolean {
    if (!newer) return false;
    const { base, values: theirs, answer } = newer;
    newer = undefined;
    contested.value = undefined;
    values.value = mergedValues(base, changes.value, theirs, takesTheirs);
    stored.value = theirs;
    take(answer);
    typed.keep(changes.value);
    return decided(true);
  }

  /** @returns whether a verb was waiting */
  function decided(goesOn: boolean): boolean {
    const waiting = decide;
    decide = undefined;
    waiting?.(goesOn);
    return waiting !== undefined;
  }

  async function catchUp(): Promise<boolean> {
    const answer = await request<PageRecord>("GET", of(""));
    return compare({ answer, values: await readValues(), base: stored.value });
  }

  async function save(): Promise<boolean> {
    const saved = changes.value;
    if (Object.keys(saved).length === 0) return true;
    progress.value = "saving";
    try {
      take(await request<PageRecord>("PATCH", of("draft/"), { body: sent.value, version }));
      stored.value = { ...stored.value, ...saved };
      errors.value = {};
      progress.value = "idle";
      typed.keep(changes.value);
      return Object.keys(changes.value).length === 0;
    } catch (error) {
      progress.value = "idle";
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 412) return (await catchUp()) && save();
      errors.value = withoutLanguage(error.fields);
      throw error;
    }
  }

  async function reload(): Promise<void> {
    take(await request<PageRecord>("GET", of("")));
    stored.value = await readValues();
    values.value = stored.value;
    errors.value = {};
    newer = undefined;
    contested.value = undefined;
    typed.keep({});
    decided(false);
  }

  async function run(verb: string, body?: Values): Promise<boolean> {
    // Again where more was typed meanwhile.
    while (!(await save()))
      if (contested.value && !(await new Promise<boolean>((resolve) => (decide = resolve)))) return false;
    try {
      take(await request<PageRecord>("POST", of(`${verb}/`), { ...(body && { body }), version }));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 412 && (await catchUp())) return run(verb, body);
      errors.value = withoutLanguage(error.fields);
      throw error;
    }
    const now = await readValues();
    // What was typed meanwhile stays.
    values.value = { ...now, ...changes.value };
    stored.value = now;
    typed.keep(changes.value);
    return true;
  }

  typed.adopt(changes.value);
  // What was typed into an older version, on another device or before a crash.
  const isOlder = typed.version !== null && typed.version !== version;
  if (isOlder && Object.keys(changes.value).length > 0)
    compare({ answer: live, values: stored.value, base: undefined });

  return {
    collection,
    id,
    lang,
    model,
    record,
    values,
    changes,
    sent,
    errors,
    progress,
    contested,
    save,
    catchUp,
    settle,
    reload,
    run,
    postpone() {
      contested.value = undefined;
      decided(false);
    },
    version: () => version,
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      typed.keep(changes.value);
    },
    async discard() {
      await request("POST", of("discard-draft/"), { version });
      await reload();
    },
    async patch(body) {
      take(await request<PageRecord>("PATCH", of(""), { body, version }));
      typed.keep(changes.value);
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
  return Object.fromEntries(
    [...TEXTS, ...GLOBALS].map((name) => [
      name,
      TARGETS[name] ? storedTarget(TARGETS[name], values[name]) : (values[name] ?? null),
    ]),
  );
}

const storedTarget = (model: string, value: Json | undefined): Json =>
  isList(value) ? value.map((item) => storedReference(model, item)) : storedReference(model, value);

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

/** Messages by the names that the form has: `title_it` as `title`. */
function withoutLanguage(errors: FieldErrors): FieldErrors {
  const suffixes = languages.value.map(({ id }) => suffixOf(id));
  return Object.fromEntries(
    Object.entries(errors).map(([path, messages]) => {
      const [name = "", ...rest] = path.split(".");
      const suffix = suffixes.find((each) => TEXTS.includes(name.slice(0, -each.length)) && name.endsWith(each));
      return [[suffix ? name.slice(0, -suffix.length) : name, ...rest].join("."), messages];
    }),
  );
}
