/**
 * One record while it is edited: what the server has, what was typed, saving it as one commit, and its verbs.
 *
 * What was typed is kept until it is saved, with the version it is based on: another editor's write in between is never
 * overwritten unasked, and of values that both changed one is chosen.
 */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, request, type Answer, type FieldErrors } from "../api.ts";
import { isSame, valueAt, type Json, type Values } from "../json.ts";
import { contestedValues, mergedValues, type Contested } from "../merging/contested-values.ts";
import { formErrors } from "./form-errors.ts";

/** What was typed and is not saved, where it outlives the screen. */
export interface KeptValues {
  /** What was typed when the record was open last; empty when all was saved. */
  readonly before: Values;
  /** The version that `before` was typed into; null: not known. */
  readonly version: string | null;
  /** The values of that version that `before` replaces; undefined: not known. */
  readonly base?: Values | undefined;
  /** @param values what is not saved; empty: everything is */
  keep(values: Values, version: string | null, base: Values | undefined): void;
}

export interface RecordPlace {
  /** The path of the collection below the API root, such as `tags`. */
  readonly path: string;
  /** By which the API finds it; undefined: a new record. */
  readonly id: number | string | undefined;
  /** The `id` of a payload; by default the field of that name. */
  idOf?(payload: Values): number | string;
  /** The query of the active language, such as `language=it`; empty where there is none. */
  readonly query?: string;
  /** The values of a new record. */
  readonly blank: Values;
  /** The editable values of a record. */
  values(payload: Values): Values | Promise<Values>;
  /** What is sent for values that were typed; by default as they are. */
  sent?(values: Values, payload: Values): Values;
  /** Names of values that are never kept by the browser, such as passwords. */
  readonly secret?: readonly string[];
  /** By default, the browser keeps what was typed. */
  kept?(version: string | null): Promise<KeptValues>;
  /** The action that saves values beside the record, as a draft; absent: they are those of the record. */
  readonly draft?: string;
  /** Whether the values of a language are those of one language, by names without it. */
  readonly isOneLanguage?: boolean;
}

export interface RecordState {
  readonly id: number | string | undefined;
  /** As the server has it; empty for a new record. */
  readonly payload: Signal<Values>;
  readonly values: Signal<Values>;
  /** The values that differ from those of the server; for a new record, from the blank ones. */
  readonly changes: ReadonlySignal<Values>;
  readonly isChanged: ReadonlySignal<boolean>;
  /** What a save sends. */
  readonly body: ReadonlySignal<Values>;
  readonly errors: Signal<FieldErrors>;
  /** Shows what the API refuses at the fields. */
  refuse(fields: FieldErrors): void;
  readonly progress: Signal<"idle" | "saving">;
  /** What another editor saved to the same values; undefined: nothing that needs a choice. */
  readonly contested: Signal<readonly Contested[] | undefined>;
  set(name: string, value: Json): void;
  /**
   * Values that only another editor has changed meanwhile are taken over first.
   *
   * @returns false when there is something `contested` @throws ApiError
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
  /** Loads the record again, without what was typed. @throws ApiError */
  reload(): Promise<void>;
  /**
   * Saves first, and waits for the decision on what is contested.
   *
   * @param verb such as `publish` @returns false where it was postponed @throws ApiError
   */
  run(verb: string, body?: Values): Promise<boolean>;
  /** Changes the record beside the values that are edited. @throws ApiError */
  patch(body: Values): Promise<void>;
  /** @throws ApiError */
  remove(): Promise<void>;
}

/** A version that another editor has saved. */
interface Newer {
  readonly answer: Answer<Values>;
  readonly values: Values;
  /** The version that was typed into. */
  readonly version: string | null;
  /** What both followed from; undefined: not known. */
  readonly base: Values | undefined;
}

/** @throws ApiError */
export async function openRecord(place: RecordPlace): Promise<RecordState> {
  const { path, id, query = "", blank, secret = [], draft, sent = (values) => values } = place;
  const { idOf = (payload: Values) => Number(payload.id), isOneLanguage = false } = place;
  const of = (action: string): string =>
    `${path}/${encodeURIComponent(id ?? "")}/${action === "" ? "" : `${action}/`}?${query}`;
  const keyOf = (one: number | string): string => `git-cms.typed ${path} ${one} ${query}`;
  const answer = id === undefined ? undefined : await request<Values>("GET", of(""));
  let version = answer?.version ?? null;
  const payload = signal<Values>(answer?.value ?? {});
  const stored = signal(answer ? await place.values(answer.value) : blank);
  let kept = (await place.kept?.(version)) ?? keptByBrowser(keyOf(id ?? "new"), secret);
  const values = signal<Values>({ ...stored.value, ...kept.before });
  const errors = signal<FieldErrors>({});
  const progress = signal<"idle" | "saving">("idle");
  const contested = signal<readonly Contested[] | undefined>(undefined);
  let newer: Newer | undefined;
  /** Goes on with a verb, or gives it up. */
  let decide: ((goesOn: boolean) => void) | undefined;
  const changes = computed(() =>
    Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !isSame(value, stored.value[name]))),
  );
  const body = computed(() => sent(id === undefined ? values.value : changes.value, payload.value));
  const isChanged = computed(() => Object.keys(changes.value).length > 0);

  /** Until it is decided, what was typed is based on the older version. */
  const typedInto = (): Pick<Newer, "base" | "version"> => newer ?? { base: stored.value, version };
  const keep = (): void => {
    const { base, version: basedOn } = typedInto();
    kept.keep(changes.value, basedOn, base);
  };
  const take = (saved: Answer<Values>): void => {
    payload.value = saved.value;
    version = saved.version;
  };
  const refuse = (fields: FieldErrors): void => void (errors.value = formErrors(fields, values.value, isOneLanguage));
  const takeAll = (saved: Answer<Values>, now: Values): void => {
    take(saved);
    stored.value = now;
    errors.value = {};
    contested.value = undefined;
    newer = undefined;
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
    const { answer: theirs, base, values: now } = newer;
    values.value = mergedValues(base, changes.value, now, takesTheirs);
    takeAll(theirs, now);
    keep();
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
    const theirs = await request<Values>("GET", of(""));
    const { base, version: basedOn } = typedInto();
    return compare({ answer: theirs, values: await place.values(theirs.value), version: basedOn, base });
  }

  /** @returns whether to try again, with what another editor saved */
  async function refused(error: unknown): Promise<boolean> {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 412) return catchUp();
    refuse(error.fields);
    throw error;
  }

  async function save(): Promise<boolean> {
    // A choice was postponed, since when there may be something newer still.
    if (newer && !(await catchUp())) return false;
    // All of theirs was taken.
    if (id !== undefined && !isChanged.value) return true;
    const saved = values.value;
    const typed = changes.value;
    progress.value = "saving";
    let done: Answer<Values>;
    try {
      const options = { body: body.value, version };
      done =
        id === undefined
          ? await request<Values>("POST", `${path}/?${query}`, options)
          : await request<Values>("PATCH", of(draft ?? ""), options);
    } catch (error) {
      progress.value = "idle";
      return (await refused(error)) && save();
    }
    takeAll(done, draft === undefined ? await place.values(done.value) : { ...stored.value, ...typed });
    progress.value = "idle";
    // What was typed meanwhile stays.
    const later = Object.entries(values.value).filter(([name, value]) => !isSame(value, saved[name]));
    values.value = { ...stored.value, ...Object.fromEntries(later) };
    if (id === undefined) {
      kept.keep({}, null, undefined);
      kept = keptByBrowser(keyOf(idOf(done.value)), secret);
    }
    keep();
    return true;
  }

  async function reload(): Promise<void> {
    const now = id === undefined ? undefined : await request<Values>("GET", of(""));
    takeAll(now ?? { value: {}, version: null }, now ? await place.values(now.value) : blank);
    values.value = stored.value;
    progress.value = "idle";
    keep();
    decided(false);
  }

  async function run(verb: string, given?: Values): Promise<boolean> {
    // Again where more was typed meanwhile.
    do if (!(await save()) && !(await new Promise<boolean>((resolve) => (decide = resolve)))) return false;
    while (isChanged.value);
    let done: Answer<Values>;
    try {
      done = await request<Values>("POST", of(verb), { ...(given && { body: given }), version });
    } catch (error) {
      return (await refused(error)) && run(verb, given);
    }
    take(done);
    const now = await place.values(done.value);
    values.value = { ...now, ...changes.value };
    stored.value = now;
    keep();
    return true;
  }

  // What was typed into an older version, on another device or before the browser was closed.
  const isOlder = kept.version !== null && kept.version !== version;
  if (answer && isOlder && isChanged.value)
    compare({ answer, values: stored.value, version: kept.version, base: kept.base });
  if (Object.keys(kept.before).length > 0) keep();

  return {
    ...{ id, payload, values, changes, isChanged, body, errors, progress, contested },
    ...{ refuse, save, catchUp, settle, reload, run },
    version: () => version,
    postpone() {
      contested.value = undefined;
      decided(false);
    },
    set(name, value) {
      const before = values.value;
      values.value = { ...before, [name]: value };
      // What was changed is no longer what was refused.
      const left = Object.entries(errors.value).filter(([path]) =>
        isSame(valueAt(before, path), valueAt(values.value, path)),
      );
      if (left.length < Object.keys(errors.value).length) errors.value = Object.fromEntries(left);
      keep();
    },
    async patch(given) {
      take(await request<Values>("PATCH", of(""), { body: given, version }));
      keep();
    },
    async remove() {
      await request("DELETE", of(""), { version });
      values.value = stored.value;
      keep();
    },
  };
}

type Kept = Pick<KeptValues, "version" | "base"> & { readonly changes: Values };

function keptByBrowser(key: string, secret: readonly string[]): KeptValues {
  const found = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
  return {
    before: found?.changes ?? {},
    version: found?.version ?? null,
    base: found?.base,
    keep(values, version, from) {
      const typed = Object.entries(values).filter(([name]) => !secret.includes(name));
      if (typed.length === 0) return localStorage.removeItem(key);
      const base = from && Object.fromEntries(typed.map(([name]) => [name, from[name] ?? null]));
      const now: Kept = { changes: Object.fromEntries(typed), version, ...(base && { base }) };
      localStorage.setItem(key, JSON.stringify(now));
    },
  };
}
