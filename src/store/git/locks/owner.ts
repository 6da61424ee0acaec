/**
 * Which process made a lock or a journal record, written so that another process can tell later whether it still runs.
 *
 * A process id says something only within one pid namespace of one running kernel. Of a process elsewhere, in another
 * container or on another machine, only its heartbeat tells: it refreshes the file's modification time (heartbeat.ts).
 */
import { readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";

export interface Owner {
  readonly pid: number;
  /** When the process started, in the system's own clock ticks; null where the system does not say. */
  readonly start: string | null;
  /** One value from a start of the machine to the next; null where the system does not say. */
  readonly boot: string | null;
  /** The process's pid namespace; null where the system has none, or the note is of an earlier version. */
  readonly ns: string | null;
  /** The name of its machine or container; null in a note of an earlier version. */
  readonly host: string | null;
  /** The folder the lock protects; null in a note of an earlier version. */
  readonly place: Place | null;
}

/** A folder under all names it may have: a volume may be mounted elsewhere, a copy of the folder has another inode. */
export interface Place {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly ino: string;
}

/** This process. @param dir the folder that a lock in this name protects; it exists */
export function thisOwner(dir: string): Owner {
  return {
    pid: process.pid,
    start: startOf(process.pid),
    boot: bootId(),
    ns: pidNamespace(),
    host: hostname(),
    place: placeOf(dir),
  };
}

/**
 * What a note says of its owner, as seen from another process (decisions.md 56).
 *
 * - `here`: its process id is one of ours, so the process table tells whether it runs.
 * - `elsewhere`: only its heartbeat tells.
 * - `ended`: its machine has been started again since, or the note came with a copy of the folder.
 */
export function ownerScope(owner: Owner, self: Owner): "here" | "elsewhere" | "ended" {
  if (isCopied(owner.place, self.place)) return "ended";
  const isThisHost = owner.host === null || owner.host === self.host;
  if (owner.boot !== self.boot) return isThisHost ? "ended" : "elsewhere";
  // A boot id is unique, so the name of the host, which may change meanwhile, need not be the same.
  const isThisTable = owner.host === null || (owner.ns === self.ns && (owner.boot !== null || isThisHost));
  return isThisTable ? "here" : "elsewhere";
}

/** One volume may have two paths in two containers, and a path may hold another volume: a copy differs in both. */
const isCopied = (of: Place | null, here: Place | null): boolean =>
  of !== null && here !== null && of.path !== here.path && of.ino !== here.ino;

/** Whether the process of an owner that stands `here` runs. A process id given to another process since does not count. */
export const isRunningLocally = (owner: Owner): boolean => isRunning(owner.pid) && startOf(owner.pid) === owner.start;

export const isThisProcess = (owner: Owner): boolean =>
  owner.pid === process.pid &&
  owner.boot === bootId() &&
  owner.start === startOf(process.pid) &&
  (owner.host === null || owner.ns === pidNamespace());

/** Names an owner in a message: `process 17`, with its host where that is another. */
export const describeOwner = (owner: Owner): string => {
  if (owner.host !== null && owner.host !== hostname())
    return `process ${owner.pid} on host ${owner.host.replace(/[^\w.-]/g, "?").slice(0, 100)}`;
  return owner.host === null || owner.ns === pidNamespace()
    ? `process ${owner.pid}`
    : `process ${owner.pid} of another container on this host`;
};

/** Reads what was written as JSON; undefined for anything else. */
export function parseOwner(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Cut short, or not ours at all: git's own locks are empty or hold an index.
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { pid, start, boot, ns = null, host = null, place = null } = value as Record<string, unknown>;
  if (
    typeof pid !== "number" ||
    !isTextOrNull(start) ||
    !isTextOrNull(boot) ||
    !isTextOrNull(ns) ||
    !isTextOrNull(host)
  )
    return undefined;
  return { pid, start, boot, ns, host, place: parsePlace(place) };
}

function parsePlace(value: unknown): Place | null {
  if (typeof value !== "object" || value === null) return null;
  const { path, ino } = value as Record<string, unknown>;
  return typeof path === "string" && typeof ino === "string" ? { path, ino } : null;
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Whether there is a process of this number in this pid namespace, whichever it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function placeOf(dir: string): Place {
  return { path: realpathSync(dir), ino: String(statSync(dir, { bigint: true }).ino) };
}

function startOf(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold anything; the start time is the 22nd.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

const bootId = (): string | null => readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? null;

function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null; // a system without namespaces
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // No such process, or a system without /proc.
    return undefined;
  }
}
