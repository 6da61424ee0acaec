/**
 * One record while it is edited: what the server has, what was typed, and saving it as one commit.
 *
 * The browser has what was typed until it is saved, with the version it is based on: another editor's write in between is
 * never overwritten unasked, and of values that both changed one is chosen.
 */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, request, type Answer, type FieldErrors } from "../api.ts";
import { isSame, type Json, type Values } from "../json.ts";
import { contestedValues, mergedValues, type Contested } from "../merging/contested-values.ts";

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
  /** The editable values of a payload. */
  values(payload: Values): Values;
  /** What is sent for values that were typed; by default as they are. */
  sent?(values: Values): Values;
  /** Names of values that are never kept by the browser, such as passwords. */
  readonly secret?: readonly string[];
}

export interface RecordState {
  readonly id: number | string | undefined;
  /** As the server has it; empty for a new record. */
  readonly payload: Signal<Values>;
  readonly values: Signal<Values>;
  /** The values that differ from those of the server; for a new record, from the blank ones. */
  readonly changes: ReadonlySignal<Values>;
  /** What a save sends. */
  readonly body: ReadonlySignal<Values>;
  readonly errors: Signal<FieldErrors>;
  readonly progress: Signal<"idle" | "saving">;
  /** What another editor saved to the same values; undefined: nothing that needs a choice. */
  readonly contested: Signal<readonly Contested[] | undefined>;
  set(name: string, value: Json): void;
  /**
   * Values that only another editor has changed meanwhile are taken over first.
   *
   * @returns the payload; undefined when there is something `contested` @throws ApiError
   */
  save(): Promise<Values | undefined>;
  /** Decides what is contested, and continues with theirs and what was typed. @param takesTheirs by path */
  settle(takesTheirs: (path: string) => boolean): void;
  /** Leaves what is contested as it is, until the next save. */
  postpone(): void;
  /** Loads the record again, without what was typed. @throws ApiError */
  reload(): Promise<void>;
  /** @throws ApiError */
  remove(): Promise<void>;
}

interface Kept {
  readonly changes: Values;
  readonly version: string | null;
  /** The values of that version that `changes` replace. */
  readonly base?: Values;
}

/** A version that another editor has saved. */
interface Newer {
  readonly answer: Answer<Values>;
  /** The version that was typed into. */
  readonly version: string | null;
  /** What both followed from; undefined: not known. */
  readonly base: Values | undefined;
}

/** @throws ApiError */
export async function openRecord(place: RecordPlace): Promise<RecordState> {
  const { path, id, query = "", blank, secret = [], sent = (values) => values } = place;
  const { idOf = (payload: Values) => Number(payload.id) } = place;
  const one = `${path}/${encodeURIComponent(id ?? "")}/?${query}`;
  const keyOf = (one: number | string): string => `git-cms.typed ${path} ${one} ${query}`;
  const key = keyOf(id ?? "new");
  const answer = id === undefined ? undefined : await request<Values>("GET", one);
  const kept = JSON.parse(localStorage.getItem(key) ?? "null") as Kept | null;
  let version = answer?.version ?? null;
  const payload = signal<Values>(answer?.value ?? {});
  const stored = signal(answer ? place.values(answer.value) : blank);
  const values = signal<Values>({ ...stored.value, ...kept?.changes });
  const errors = signal<FieldErrors>({});
  const progress = signal<"idle" | "saving">("idle");
  const contested = signal<readonly Contested[] | undefined>(undefined);
  let newer: Newer | undefined;
  const changes = computed(() =>
    Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !isSame(value, stored.value[name]))),
  );
  const body = computed(() => sent(id === undefined ? values.value : changes.value));

  const keep = (as = key): void => {
    const typed = Object.entries(changes.value).filter(([name]) => !secret.includes(name));
    if (typed.length === 0) return localStorage.removeItem(as);
    // Until it is decided, what was typed is based on the older version.
    const { base: from, version: basedOn } = newer ?? { base: stored.value, version };
    const base = from && Object.fromEntries(typed.map(([name]) => [name, from[name] ?? null]));
    const now: Kept = { changes: Object.fromEntries(typed), version: basedOn, ...(base && { base }) };
    localStorage.setItem(as, JSON.stringify(now));
  };
  const take = (saved: Answer<Values>): void => {
    payload.value = saved.value;
    stored.value = place.values(saved.value);
    version = saved.version;
    errors.value = {};
    progress.value = "idle";
    contested.value = undefined;
    newer = undefined;
  };

  /** @returns whether nothing is contested */
  function compare(found: Newer): boolean {
    newer = found;
    const both = contestedValues(found.base, changes.value, place.values(found.answer.value));
    if (both.length === 0) settle(() => false);
    else contested.value = both;
    return both.length === 0;
  }

  function settle(takesTheirs: (path: string) => boolean): void {
    if (!newer) return;
    const { answer: theirs, base } = newer;
    values.value = mergedValues(base, changes.value, place.values(theirs.value), takesTheirs);
    take(theirs);
    keep();
  }

  async function save(): Promise<Values | undefined> {
    if (newer && !compare(newer)) return undefined;
    // All of theirs was taken.
    if (id !== undefined && Object.keys(changes.value).length === 0) return payload.value;
    const saved = values.value;
    progress.value = "saving";
    try {
      const method = id === undefined ? "POST" : "PATCH";
      const done = await request<Values>(method, id === undefined ? `${path}/?${query}` : one, {
        body: body.value,
        version,
      });
      take(done);
      // What was typed meanwhile stays.
      const later = Object.entries(values.value).filter(([name, value]) => !isSame(value, saved[name]));
      values.value = { ...stored.value, ...Object.fromEntries(later) };
      const kept = keyOf(idOf(done.value));
      if (kept !== key) localStorage.removeItem(key);
      keep(kept);
      return done.value;
    } catch (error) {
      progress.value = "idle";
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 412) {
        const theirs = await request<Values>("GET", one);
        return compare({ answer: theirs, version, base: stored.value }) ? save() : undefined;
      }
      errors.value = error.fields;
      throw error;
    }
  }

  // What was typed into an older version, before the browser was closed.
  if (answer && kept && kept.version !== answer.version && Object.keys(changes.value).length > 0)
    compare({ answer, version: kept.version, base: kept.base });

  return {
    id,
    payload,
    values,
    changes,
    body,
    errors,
    progress,
    contested,
    save,
    settle,
    postpone: () => void (contested.value = undefined),
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      keep();
    },
    async reload() {
      if (id === undefined) stored.value = blank;
      else take(await request<Values>("GET", one));
      values.value = stored.value;
      errors.value = {};
      progress.value = "idle";
      keep();
    },
    async remove() {
      await request("DELETE", one, { version });
      values.value = stored.value;
      keep();
    },
  };
}
