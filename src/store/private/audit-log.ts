/**
 * `audit/<day>.jsonl`: the audit log, a line of JSON for each event. Files are appended to, and removed as a whole when
 * they are older than `AUDIT.KEEP` days.
 *
 * A line is written by one call at the end of the file, so that several processes may write.
 */
import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../env.ts";
import { AUDIT_EVENTS, countEvent, type AuditEvent, type HourCount } from "../../model/account/audit.ts";
import { isObject, type JsonObject } from "../../model/input/json.ts";
import { instantOf, msOf, parseInstant, type Instant } from "../../model/time/instant.ts";
import { pace } from "../../time-slices.ts";
import { diskFs, makeDirs } from "../git/fs.ts";
import { undefinedIf } from "./private-lock.ts";

export interface AuditLog {
  /** Returns at once: events are written one after the other. A failure is logged, and stops nobody's work. */
  add(event: AuditEvent): void;
  /** The newest events, newest first, those that are being written included. */
  list(now: Instant): Promise<readonly AuditEvent[]>;
  /** Waits for what is being written. */
  settled(): Promise<void>;
}

/** Events in a list. */
const LISTED_MAX = 20_000;
const FILE = /^(\d{4}-\d\d-\d\d)\.jsonl$/;
const DAY_MS = 86_400_000;

/** @param keepDays null: files are never removed, as by a command beside a server */
export function openAuditLog(stateDir: string, log: Log, keepDays: number | null): AuditLog {
  const dir = join(stateDir, "audit");
  const counts = new Map<string | null, HourCount>();
  let queue: Promise<void> = Promise.resolve();
  let cleanedOn = "";

  async function write(event: AuditEvent): Promise<void> {
    const day = event.at.slice(0, 10);
    await makeDirs(diskFs, dir, 0o700);
    await appendFile(join(dir, `${day}.jsonl`), `${JSON.stringify(event)}\n`, { mode: 0o600 });
    if (keepDays === null || cleanedOn === day) return;
    cleanedOn = day;
    for (const [name, of] of await files())
      if (of < firstDay(event.at, keepDays)) await rm(join(dir, name), { force: true });
  }

  /** Names and days of the files, newest first. */
  const files = async (): Promise<readonly (readonly [name: string, day: string])[]> =>
    ((await readdir(dir).catch(undefinedIf("ENOENT"))) ?? [])
      .flatMap((name): [string, string][] => (FILE.test(name) ? [[name, FILE.exec(name)![1]!]] : []))
      .sort(([a], [b]) => (a < b ? 1 : -1));

  return {
    add(event) {
      const [count, fate] = countEvent(counts.get(event.by), event.at);
      counts.set(event.by, count);
      if (fate === "dropped") return;
      const kept: AuditEvent = fate === "kept" ? event : { ...event, ...NOT_KEPT };
      queue = queue
        .then(() => write(kept))
        .catch((error: unknown) => log.error("The audit log cannot be written", error));
    },

    async list(now) {
      await queue;
      const found: AuditEvent[] = [];
      for (const [name, day] of await files()) {
        if (found.length >= LISTED_MAX || (keepDays !== null && day < firstDay(now, keepDays))) break;
        const lines = (await readFile(join(dir, name), "utf8").catch(undefinedIf("ENOENT")))?.split("\n") ?? [];
        for (const line of lines.reverse()) found.push(...eventOf(line));
        await pace();
      }
      return found.slice(0, LISTED_MAX);
    },

    settled: () => queue,
  };
}

const NOT_KEPT = { event: "not-kept", about: null, detail: "Further events of this hour are not kept." } as const;

const firstDay = (now: Instant, keepDays: number): string => instantOf(msOf(now) - keepDays * DAY_MS).slice(0, 10);

/** A line that was cut off by a crash, or is no event, is left out. */
function eventOf(line: string): AuditEvent[] {
  if (line === "") return [];
  let raw: unknown;
  try {
    raw = JSON.parse(line);
  } catch {
    return [];
  }
  const { at, event, by, from, about, detail }: JsonObject = isObject(raw) ? raw : {};
  const isSound =
    parseInstant(at) === at &&
    AUDIT_EVENTS.some((name) => name === event) &&
    [by, from, about].every((text) => text === null || typeof text === "string") &&
    typeof detail === "string";
  return isSound ? [{ at, event, by, from, about, detail } as unknown as AuditEvent] : [];
}
