/**
 * One record while it is edited: what the server has, what was typed, and saving it as one commit.
 *
 * The browser has what was typed until it is saved, with the version it is based on: another editor's write in between is
 * never overwritten unasked.
 */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, request, type FieldErrors } from "../api.ts";
import { isSame, type Json, type Values } from "../json.ts";

export interface RecordPlace {
  /** Of the collection, below the API root, such as `tags`. */
  readonly path: string;
  /** By which the API finds it; undefined: a new record. */
  readonly id: number | string | undefined;
  /** The `id` of a payload; by default the field of that name. */
  idOf?(payload: Values): number | string;
  /** Of the active language, such as `language=it`; empty where there is none. */
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
  /** `changedElsewhere`: the server has a version that the values are not based on. */
  readonly progress: Signal<"idle" | "saving" | "changedElsewhere">;
  set(name: string, value: Json): void;
  /** @returns the payload; undefined when another editor has changed the record @throws ApiError */
  save(): Promise<Values | undefined>;
  /** Saves over the version of another editor. @throws ApiError */
  saveOver(): Promise<Values | undefined>;
  /** Loads the record again, without what was typed. @throws ApiError */
  reload(): Promise<void>;
  /** @throws ApiError */
  remove(): Promise<void>;
}

interface Kept {
  readonly changes: Values;
  readonly version: string | null;
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
  let version = kept?.version ?? answer?.version ?? null;
  const payload = signal<Values>(answer?.value ?? {});
  const stored = signal(answer ? place.values(answer.value) : blank);
  const values = signal<Values>({ ...stored.value, ...kept?.changes });
  const errors = signal<FieldErrors>({});
  const progress = signal<"idle" | "saving" | "changedElsewhere">("idle");
  const changes = computed(() =>
    Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !isSame(value, stored.value[name]))),
  );
  const body = computed(() => sent(id === undefined ? values.value : changes.value));

  const keep = (as = key): void => {
    const typed = Object.entries(changes.value).filter(([name]) => !secret.includes(name));
    if (typed.length === 0) localStorage.removeItem(as);
    else localStorage.setItem(as, JSON.stringify({ changes: Object.fromEntries(typed), version } satisfies Kept));
  };
  const take = (saved: { value: Values; version: string | null }): void => {
    payload.value = saved.value;
    stored.value = place.values(saved.value);
    version = saved.version;
    errors.value = {};
    progress.value = "idle";
  };

  async function save(): Promise<Values | undefined> {
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
        progress.value = "changedElsewhere";
        return undefined;
      }
      errors.value = error.fields;
      throw error;
    }
  }

  return {
    id,
    payload,
    values,
    changes,
    body,
    errors,
    progress,
    save,
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      keep();
    },
    async saveOver() {
      ({ version } = await request("GET", one));
      return save();
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
