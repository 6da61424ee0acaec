/**
 * What is known of a hook, in the private state: what its listener has been told of, and its deliveries.
 *
 * A delivery is added in the same write that moves `told` on, so that a crash at any moment loses none: before it, the next
 * start finds the same changes again; after it, the delivery waits in the file.
 */
import { createHash } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { HOOK_EVENTS, type HookEvent, type HookSetting } from "../config/hook-settings.ts";
import { parseInstant, type Instant } from "../model/time/instant.ts";
import { isObject, type JsonObject } from "../model/input/json.ts";
import { undefinedIf } from "../store/private/private-lock.ts";
import { privateFile, type PrivateFile } from "../store/private/private-file.ts";
import type { Oid } from "../store/repo.ts";

const STATUSES = ["waiting", "delivered", "failed"] as const;

export interface HookState {
  /** The content up to which events have become deliveries; null before the hook's first start. */
  readonly told: Told | null;
  /** Oldest first; those that are done after those that wait. */
  readonly deliveries: readonly Delivery[];
}

export interface Told {
  readonly commit: Oid | null;
  /** Version of the manifest; null when the hook does not listen to `change`, or until it is computed for `since`. */
  readonly manifest: string | null;
  /** The moment of the hook's first start, until the listener has been told of something or the first look is done. */
  readonly since?: Instant | undefined;
}

export interface Delivery {
  readonly id: string;
  readonly event: HookEvent;
  readonly commit: Oid | null;
  readonly created_at: Instant;
  readonly status: (typeof STATUSES)[number];
  readonly attempts: number;
  /** The time of the next attempt; null when it is done. */
  readonly next_attempt: Instant | null;
  readonly last: LastAttempt | null;
  /** The bytes that are sent, the same each time; "" when it is done. */
  readonly body: string;
}

export interface LastAttempt {
  readonly at: Instant;
  /** The status of the answer; null without one. */
  readonly status: number | null;
  readonly error: string | null;
}

/** Deliveries that wait. With as many, further changes are collected, and become deliveries when there is room again. */
export const WAITING_MAX = 10;

const DONE_MAX = 20;

export const NO_STATE: HookState = { told: null, deliveries: [] };

/** The folder of the files below that of the private state. */
const dirOf = (stateDir: string): string => join(stateDir, "hooks");

/** @param settings all hooks: the file is that of the address, whatever the order of the hooks */
export function hookFile(stateDir: string, settings: readonly HookSetting[], index: number): PrivateFile<HookState> {
  return privateFile({ dir: dirOf(stateDir), name: nameOf(settings, index), empty: NO_STATE, parse: stateOf });
}

/** Removes the files of hooks that are no longer in the settings. */
export async function removeOtherFiles(stateDir: string, settings: readonly HookSetting[]): Promise<void> {
  const kept = settings.map((_, index) => nameOf(settings, index));
  for (const name of (await readdir(dirOf(stateDir)).catch(undefinedIf("ENOENT"))) ?? [])
    if (name.endsWith(".json") && !kept.includes(name)) await rm(join(dirOf(stateDir), name), { force: true });
}

function nameOf(settings: readonly HookSetting[], index: number): string {
  const { URL: url } = settings[index]!;
  const same = settings.slice(0, index).filter((each) => each.URL === url).length;
  return `${createHash("sha256").update(`${url} ${same}`).digest("hex").slice(0, 16)}.json`;
}

/** The state with a delivery replaced; of those that are done the oldest are dropped. */
export function withDelivery(state: HookState, delivery: Delivery): HookState {
  const others = state.deliveries.filter(({ id }) => id !== delivery.id);
  const all = [...others, delivery];
  const done = all.filter(({ status }) => status !== "waiting");
  return { ...state, deliveries: [...done.slice(-DONE_MAX), ...all.filter(({ status }) => status === "waiting")] };
}

/** What is not as written by this program is left out. */
function stateOf(raw: unknown): HookState {
  const { told, deliveries }: JsonObject = isObject(raw) ? raw : {};
  return {
    told: isObject(told) ? toldOf(told) : null,
    deliveries: Array.isArray(deliveries) ? deliveries.flatMap(deliveryOf) : [],
  };
}

const toldOf = ({ commit, manifest, since }: JsonObject): Told => ({
  commit: textOrNull(commit),
  manifest: textOrNull(manifest),
  since: parseInstant(since),
});

function deliveryOf(raw: unknown): Delivery[] {
  if (!isObject(raw)) return [];
  const { id, event: name, commit, created_at, status, attempts, next_attempt, last, body } = raw;
  const event = HOOK_EVENTS.find((each) => each === name);
  const created = parseInstant(created_at);
  const next = parseInstant(next_attempt);
  const known = STATUSES.find((each) => each === status);
  if (
    !known ||
    (known === "waiting" && !next) ||
    !event ||
    !created ||
    typeof id !== "string" ||
    typeof body !== "string"
  )
    return [];
  const made = typeof attempts === "number" ? attempts : 0;
  const rest = {
    created_at: created,
    status: known,
    attempts: made,
    next_attempt: next ?? null,
    last: lastOf(last),
    body,
  };
  return [{ id, event, commit: textOrNull(commit), ...rest }];
}

function lastOf(raw: unknown): LastAttempt | null {
  const at = isObject(raw) ? parseInstant(raw.at) : undefined;
  if (!isObject(raw) || !at) return null;
  return { at, status: typeof raw.status === "number" ? raw.status : null, error: textOrNull(raw.error) };
}

const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
