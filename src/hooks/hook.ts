/**
 * One hook while a server runs: finds what its listener has not been told yet, and delivers it.
 *
 * Every hook works by itself, so that a slow listener delays no other, and apart from writes, which never wait for it.
 */
import type { Config } from "../config.ts";
import type { HookEvent } from "../config/hook-settings.ts";
import type { Env, Timers } from "../env.ts";
import { messageOf } from "../errors.ts";
import { isAttemptDue, waitAfter } from "../model/hooks/delivery-retry.ts";
import { instantOf, msOf, type Instant } from "../model/time/instant.ts";
import type { Locales } from "../model/language/locale.ts";
import { nextMoment } from "../store/content/indexes/page-index.ts";
import type { Snapshot } from "../store/snapshot.ts";
import type { History } from "../store/history/history.ts";
import type { PrivateFile } from "../store/private/private-file.ts";
import type { Store } from "../store/write/store.ts";
import { answerManifest, type Manifests } from "../views/manifest/manifest.ts";
import { WAITING_MAX, withDelivery, type Delivery, type HookState, type Told } from "./hook-file.ts";
import { hookBodyOf, commitsSince, conflictsOf, eventsBetween, type BodyParts, type Happened } from "./observe.ts";
import { isAccepted, sendHook, shownUrl, type KeyedHook } from "./send.ts";

export interface HookContext {
  readonly config: Config;
  readonly locales: Locales;
  readonly store: Store;
  readonly history: History;
  readonly env: Env;
  readonly manifests: Manifests;
}

/** What tests replace. */
export interface HookTimes {
  readonly timers: Timers;
  /** From 0 up to 1. */
  random(): number;
}

/** Milliseconds after a change in which further ones are collected. */
const COLLECT = 1000;

/** The longest wait in milliseconds, since timers do not follow a clock that is set. */
const LONGEST_WAIT = 60_000;

/** @returns the way to stop; an attempt that is under way is made again at the next start */
export type StartHook = (times: HookTimes) => () => Promise<void>;

/**
 * Opens a hook: its listener is told of all that changes from now on, also if the process dies before the hook is started.
 *
 * @returns the way to start it
 */
export async function openHook(ctx: HookContext, hook: KeyedHook, file: PrivateFile<HookState>): Promise<StartHook> {
  const content = ctx.store.current;
  const told: Told = { commit: content.commit, manifest: null, since: ctx.env.now() };
  let isFirst = false;
  try {
    isFirst = await file.update((state) => (state.told ? [state, false] : [{ ...state, told }, true]));
  } catch (error) {
    ctx.env.log.error(`The hook ${shownUrl(hook.setting.URL)} cannot note its position: ${messageOf(error)}`, error);
  }
  return (times) => {
    const running = new RunningHook(ctx, { hook, file, start: { told, content }, isFirst }, times);
    const stopListening = ctx.store.onChange(() => running.notice());
    running.notice();
    return async () => {
      stopListening();
      await running.stop();
    };
  };
}

/** The newest content without further events. In the file it may be an older one, from which the same events follow. */
interface Position {
  readonly told: Told;
  readonly content: Snapshot | undefined;
}

interface OpenedHook {
  readonly hook: KeyedHook;
  readonly file: PrivateFile<HookState>;
  /** Where its first start ever begins. */
  readonly start: Position;
  /** Whether the file had none and has this one now. */
  readonly isFirst: boolean;
}

class RunningHook {
  readonly #ctx: HookContext;
  readonly #hook: KeyedHook;
  readonly #file: PrivateFile<HookState>;
  readonly #start: Position;
  readonly #times: HookTimes;
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;
  #cancel = (): void => undefined;
  /** Whether there may be something the listener has not been told of. */
  #isChanged = false;
  #isCollecting = false;
  #told: Position | undefined;

  constructor(ctx: HookContext, { hook, file, start, isFirst }: OpenedHook, times: HookTimes) {
    this.#ctx = ctx;
    this.#start = start;
    if (isFirst) this.#told = start;
    this.#hook = hook;
    this.#file = file;
    this.#times = times;
  }

  notice(): void {
    this.#isChanged = true;
    if (!this.#working && !this.#isCollecting) this.#startTimer(COLLECT);
    this.#isCollecting = true;
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    this.#cancel();
    await this.#working;
  }

  #startTimer(ms: number): void {
    this.#cancel();
    if (!this.#stop.signal.aborted) this.#cancel = this.#times.timers.start(() => this.#wake(), ms);
  }

  #wake(): void {
    this.#isCollecting = false;
    this.#working = this.#work()
      .catch((error: unknown) => {
        this.#isChanged = true;
        this.#ctx.env.log.error(`The hook ${shownUrl(this.#hook.setting.URL)} failed: ${messageOf(error)}`, error);
        return LONGEST_WAIT;
      })
      .then((wait) => {
        this.#working = undefined;
        this.#isCollecting = this.#isChanged;
        this.#startTimer(wait);
      });
  }

  /** @returns milliseconds until there may be something to do again */
  async #work(): Promise<number> {
    let state = await this.#file.read();
    if (waitingOf(state).length < WAITING_MAX) state = await this.#observe(state);
    else if (this.#told) this.#told = { told: this.#told.told, content: undefined }; // it may be kept for a day
    for (const delivery of waitingOf(state)) {
      if (this.#stop.signal.aborted) break;
      if (isAttemptDue(msOf(delivery.next_attempt!), msOf(this.#ctx.env.now()))) state = await this.#attempt(delivery);
    }
    const now = this.#ctx.env.now();
    const moments = [...waitingOf(state).map((each) => each.next_attempt), nextMoment(this.#ctx.store.current, now)];
    const waits = moments.flatMap((moment) => (moment ? [msOf(moment) - msOf(now)] : []));
    const collect = this.#isChanged && waitingOf(state).length < WAITING_MAX ? COLLECT : LONGEST_WAIT;
    return Math.max(0, Math.min(LONGEST_WAIT, collect, ...waits));
  }

  /** Turns what has happened into deliveries. */
  async #observe(state: HookState): Promise<HookState> {
    const { env, store } = this.#ctx;
    this.#isChanged = false;
    const now = env.now();
    const content = store.current;
    const manifest = await this.#manifestOf(content, now);
    const told = { commit: content.commit, manifest };
    const { told: known, content: seen } = this.#known(state);
    const before = seen ?? (await this.#contentAt(known));
    const commits = await commitsSince(store.repo, content.commit, known.commit);
    const happened = before
      ? await eventsBetween(before, content, this.#ctx.locales, now)
      : new Map<HookEvent, Happened>();
    const conflicts = conflictsOf(commits, content, store.kinds);
    if (conflicts) happened.set("conflict", conflicts);
    const isFirst = known.since !== undefined;
    const former = known.since && before ? await this.#manifestOf(before, known.since) : known.manifest;
    const isMoved = manifest !== former && former !== null;
    const events = this.#hook.setting.EVENTS.filter((each) => (each === "change" ? isMoved : happened.has(each)));
    let next = state;
    if (events.length > 0 || isFirst) {
      const facts = { at: now, commit: content.commit, before: known.commit, commits };
      const deliveries = events.map((event) =>
        newDelivery(env.uuid(), event, { ...facts, happened: happened.get(event) }),
      );
      next = await this.#update((stored) => deliveries.reduce(withDelivery, { ...stored, told }));
    }
    this.#told = { told, content };
    return next;
  }

  #known({ told }: HookState): Position {
    return this.#told ?? (told ? { told, content: undefined } : this.#start);
  }

  async #manifestOf(content: Snapshot, now: Instant): Promise<string | null> {
    if (!this.#hook.setting.EVENTS.includes("change")) return null;
    const { config, locales } = this.#ctx;
    const view = { content, config, locales, lang: locales.default, now, surface: "public", origin: "" } as const;
    return (await answerManifest(this.#ctx, view)).version;
  }

  /** undefined when the commit is not in the repository any more */
  async #contentAt({ commit }: Told): Promise<Snapshot | undefined> {
    const { store } = this.#ctx;
    if (commit === store.current.commit) return store.current;
    if (commit !== null && (await store.repo.resolveCommit(commit)) === undefined) return undefined;
    return (await store.contentAt(commit)).snapshot;
  }

  async #attempt(delivery: Delivery): Promise<HookState> {
    const { env } = this.#ctx;
    const outcome = await sendHook(this.#hook, delivery, this.#stop.signal).then(
      ({ status }) => ({ status, error: isAccepted(status) ? null : `It answered with ${status}.` }),
      (error: unknown) => ({ status: null, error: messageOf(error) }),
    );
    if (this.#stop.signal.aborted && outcome.status === null) return this.#file.read();
    const at = env.now();
    const attempts = delivery.attempts + 1;
    const tried = { ...delivery, attempts, last: { at, ...outcome } };
    if (outcome.error === null)
      return this.#update((state) =>
        withDelivery(state, { ...tried, status: "delivered", next_attempt: null, body: "" }),
      );
    const wait = waitAfter(attempts, this.#times.random());
    const next = wait === undefined ? null : instantOf(msOf(at) + wait);
    const prospect = next === null ? "it is given up" : `the next attempt is at ${next}`;
    const what = `Delivery ${delivery.id} (${delivery.event}) to ${shownUrl(this.#hook.setting.URL)}`;
    env.log.warn(`${what} failed ${attempts} times; ${prospect}: ${outcome.error}`);
    return this.#update((state) =>
      withDelivery(state, next === null ? { ...tried, ...GIVEN_UP } : { ...tried, next_attempt: next }),
    );
  }

  #update(change: (state: HookState) => HookState): Promise<HookState> {
    return this.#file.update((state) => {
      const next = change(state);
      return [next, next];
    });
  }
}

function newDelivery(id: string, event: HookEvent, parts: Omit<BodyParts, "delivery" | "event">): Delivery {
  const body = hookBodyOf({ delivery: id, event, ...parts });
  const attempt = { status: "waiting", attempts: 0, next_attempt: parts.at, last: null } as const;
  return { id, event, commit: parts.commit, created_at: parts.at, ...attempt, body };
}

const GIVEN_UP = { status: "failed", next_attempt: null, body: "" } as const;

const waitingOf = ({ deliveries }: HookState): readonly Delivery[] =>
  deliveries.filter(({ status }) => status === "waiting");
