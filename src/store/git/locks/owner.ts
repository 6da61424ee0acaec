/**
 * The process that owns a lock or a journal, in a form from which another process can tell whether it still runs.
 *
 * A process id is valid only within one pid namespace of one running kernel. Whether a process in another container or
 * on another machine still runs shows only in its heartbeat (heartbeat.ts).
 */
import { readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";

export interface Owner {
  readonly pid: number;
  /** Start time of the process in clock ticks of the system; null where the system does not provide it. */
  readonly start: string | null;
  /** Boot id of the machine, new at each boot; null where the system does not provide it. */
  readonly boot: string | null;
  /** Pid namespace; null where the system has none, or in a file of an earlier version. */
  readonly ns: string | null;
  /** Host name of the machine or container; null in a file of an earlier version. */
  readonly host: string | null;
  /** The folder that the lock protects; null in a file of an earlier version. */
  readonly place: Place | null;
}

/** Identifies a folder. A volume may be mounted at two paths; a copy of the folder has another path and another inode. */
export interface Place {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly ino: string;
}

/** This process as an owner. @param dir the folder that its lock protects; it must exist */
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
 * Where an owner's process is, as seen from this one.
 *
 * - `here`: in this pid namespace, so the process table shows whether it runs.
 * - `elsewhere`: only its heartbeat shows whether it runs.
 * - `ended`: its machine has been restarted since, or the lock is in a copy of the folder.
 */
export function ownerScope(owner: Owner, self: Owner): "here" | "elsewhere" | "ended" {
  if (isCopied(owner.place, self.place)) return "ended";
  const isThisHost = owner.host === null || owner.host === self.host;
  if (owner.boot !== self.boot) return isThisHost ? "ended" : "elsewhere";
  // A boot id is unique, so the host name, which may change while the machine runs, need not be the same.
  const isThisNamespace = owner.host === null || (owner.ns === self.ns && (owner.boot !== null || isThisHost));
  return isThisNamespace ? "here" : "elsewhere";
}

/** Only a copy differs in both: one volume may have two paths in two containers, and one path another volume. */
const isCopied = (of: Place | null, here: Place | null): boolean =>
  of !== null && here !== null && of.path !== here.path && of.ino !== here.ino;

/** Whether the process of an owner that is `here` runs. A process id reused by another process does not count. */
export const isRunningLocally = (owner: Owner): boolean => isRunning(owner.pid) && startOf(owner.pid) === owner.start;

export const isThisProcess = (owner: Owner): boolean =>
  owner.pid === process.pid &&
  owner.boot === bootId() &&
  owner.start === startOf(process.pid) &&
  (owner.host === null || owner.ns === pidNamespace());

/** An owner in a message: `process 17`, with its host if that is another one. */
export const describeOwner = (owner: Owner): string => {
  if (owner.host !== null && owner.host !== hostname())
    return `process ${owner.pid} on host ${owner.host.replace(/[^\w.-]/g, "?").slice(0, 100)}`;
  return owner.host === null || owner.ns === pidNamespace()
    ? `process ${owner.pid}`
    : `process ${owner.pid} of another container on this host`;
};

/** Parses the JSON of an owner file; undefined for anything else. */
export function parseOwner(text: string): Owner | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Truncated, or not ours: git's own locks are empty or contain an index.
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

/** Whether any process with this id runs in this pid namespace. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function placeOf(dir: string): Place {
  return { path: realpathSync(dir), ino: String(statSync(dir, { bigint: true }).ino) };
}

function startOf(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses, which may contain anything; the start time is the 22nd field.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

const bootId = (): string | null => readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? null;

function pidNamespace(): string | null {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return null; // the system has no namespaces
  }
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return undefined; // no such process, or the system has no /proc
  }
}
