/**
 * The audit log: who signed in, who was refused, and who changed accounts and their means of signing in.
 *
 * Changes of content are commits and not told again. `store/private/audit-log.ts` keeps the events.
 */
import type { Instant } from "../time/instant.ts";

export const AUDIT_EVENTS = [
  "signed-in",
  "sign-in-refused",
  "refused",
  "account-added",
  "account-changed",
  "account-removed",
  "access-revoked",
  "sessions-ended",
  "token-added",
  "token-removed",
  "passkey-added",
  "passkey-removed",
  "codes-on",
  "codes-off",
  "recovery-code-used",
  "roles-changed",
  "backed-up",
  "restored",
  "not-kept",
] as const;
export type AuditEventName = (typeof AUDIT_EVENTS)[number];

export interface AuditEvent {
  readonly at: Instant;
  readonly event: AuditEventName;
  /** User name of the account that acted; null for a stranger, and for the user of the machine. */
  readonly by: string | null;
  /** Address of the client, or `command line`; null for a program that uses the library. */
  readonly from: string | null;
  /** User name of the account that it happened to; null for none. */
  readonly about: string | null;
  readonly detail: string;
}

/**
 * Events of one source that are kept in an hour. All strangers are one source and each account is one, so that a flood of
 * refused sign-ins neither fills the disk nor hides what accounts do.
 */
export const EVENTS_PER_HOUR = 100;

/** How many events a source had in its latest hour, `2026-03-01T12`. */
export interface HourCount {
  readonly hour: string;
  readonly count: number;
}

/**
 * What becomes of one more event of a source.
 *
 * @returns `last`: it is the first of the hour that is not kept, which is told in its place
 */
export function countEvent(before: HourCount | undefined, at: Instant): [HourCount, "kept" | "last" | "dropped"] {
  const hour = at.slice(0, 13);
  const count = before?.hour === hour ? before.count + 1 : 1;
  return [{ hour, count }, count <= EVENTS_PER_HOUR ? "kept" : count === EVENTS_PER_HOUR + 1 ? "last" : "dropped"];
}
