/** Which process made a lock or a journal record, told so that another one can see later whether it still runs. */
import { readFileSync } from "node:fs";

export interface Owner {
  readonly pid: number;
  /** When the process started, in the system's own clock ticks; null where the system does not say. */
  readonly start: string | null;
  /** One value from a start of the machine to the next; null where the system does not say. */
  readonly boot: string | null;
}

/** This process. */
export function thisOwner(): Owner {
  return { pid: process.pid, start: startOf(process.pid), boot: bootId() };
}

/** Whether the process still runs. A process id given to another process since does not count. */
export function isAlive(owner: Owner): boolean {
  if (owner.boot !== bootId()) return false;
  return isRunning(owner.pid) && startOf(owner.pid) === owner.start;
}

export const isThisProcess = (owner: Owner): boolean => owner.pid === process.pid && isAlive(owner);

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
  const { pid, start, boot } = value as Record<string, unknown>;
  return typeof pid === "number" && isTextOrNull(start) && isTextOrNull(boot) ? { pid, start, boot } : undefined;
}

const isTextOrNull = (value: unknown): value is string | null => value === null || typeof value === "string";

/** Whether there is a process of this number, whichever it is. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, under another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function startOf(pid: number): string | null {
  const stat = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in parentheses and may hold anything; the start time is the 22nd.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
}

const bootId = (): string | null => readProc("/proc/sys/kernel/random/boot_id")?.trim() ?? null;

function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, "latin1");
  } catch {
    // No such process, or a system without /proc.
    return undefined;
  }
}
