/** One page in one language while it is edited: what the server has, what was typed, and the verbs. */
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { ApiError, get, request, type FieldErrors } from "../api.ts";
import type { Status } from "../ui/status-badge.tsx";
import type { Json, Values } from "../json.ts";
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
}

export interface PageState {
  readonly id: number;
  readonly lang: string;
  readonly record: Signal<PageRecord>;
  readonly values: Signal<Values>;
  readonly changes: ReadonlySignal<Values>;
  readonly errors: Signal<FieldErrors>;
  /** `changedElsewhere`: the server has a version that the values are not based on. */
  readonly progress: Signal<"idle" | "saving" | "changedElsewhere">;
  set(name: string, value: Json): void;
  /** Saves what was typed as the draft. @returns whether nothing is left to be saved */
  save(): Promise<boolean>;
  /** Saves over the version of another editor. */
  saveOver(): Promise<boolean>;
  /** Loads the page again, without what was typed. */
  reload(): Promise<void>;
  /** Saves first. @param verb such as `publish` @throws ApiError */
  run(verb: string, body?: Values): Promise<void>;
  /** Discards the draft and what was typed. @throws ApiError */
  discard(): Promise<void>;
  /** Changes the live page, not the draft. @throws ApiError */
  patch(body: Values): Promise<void>;
}

/** The editable fields, whose values the server takes back as it gave them. */
const FIELDS = ["title", "description", "template_data", "autopermalink", "slug"];

/** @throws ApiError */
export async function openPage(id: number, lang: string): Promise<PageState> {
  const of = (action: string): string => `pages/${id}/${action}?language=${encodeURIComponent(lang)}`;
  const live = await request<PageRecord>("GET", of(""));
  const record = signal(live.value);
  let version = live.version;
  const stored = signal(pickFields(await get<Values>(of("preview/"))));
  const typed = await openTypedValues(id, lang, () => version);
  const values = signal<Values>({ ...stored.value, ...typed.before });
  const errors = signal<FieldErrors>({});
  const progress = signal<"idle" | "saving" | "changedElsewhere">("idle");
  const changes = computed(() =>
    Object.fromEntries(Object.entries(values.value).filter(([name, value]) => !isSame(value, stored.value[name]))),
  );

  const take = (answer: { value: PageRecord; version: string | null }): void => {
    record.value = answer.value;
    version = answer.version;
  };

  async function save(): Promise<boolean> {
    const sent = changes.value;
    if (Object.keys(sent).length === 0) return true;
    progress.value = "saving";
    try {
      take(await request<PageRecord>("PATCH", of("draft/"), { body: sent, version }));
      stored.value = { ...stored.value, ...sent };
      errors.value = {};
      progress.value = "idle";
      typed.keep(changes.value);
      return Object.keys(changes.value).length === 0;
    } catch (error) {
      progress.value = "idle";
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 412) {
        progress.value = "changedElsewhere";
        return false;
      }
      errors.value = error.fields;
      throw error;
    }
  }

  async function reload(): Promise<void> {
    take(await request<PageRecord>("GET", of("")));
    stored.value = pickFields(await get<Values>(of("preview/")));
    values.value = stored.value;
    errors.value = {};
    progress.value = "idle";
    typed.keep({});
  }

  async function run(verb: string, body?: Values): Promise<void> {
    if (!(await save())) return;
    take(await request<PageRecord>("POST", of(`${verb}/`), { ...(body && { body }), version }));
    const now = pickFields(await get<Values>(of("preview/")));
    // What was typed meanwhile stays.
    values.value = { ...now, ...changes.value };
    stored.value = now;
  }

  return {
    id,
    lang,
    record,
    values,
    changes,
    errors,
    progress,
    save,
    reload,
    run,
    set(name, value) {
      values.value = { ...values.value, [name]: value };
      typed.keep(changes.value);
    },
    async saveOver() {
      version = (await request("GET", of(""))).version;
      return save();
    },
    async discard() {
      await request("POST", of("discard-draft/"), { version });
      await reload();
    },
    async patch(body) {
      take(await request<PageRecord>("PATCH", of(""), { body, version }));
    },
  };
}

const pickFields = (payload: Values): Values =>
  Object.fromEntries(FIELDS.filter((name) => name in payload).map((name) => [name, payload[name]!]));

const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
