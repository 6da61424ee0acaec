/** Who acts on accounts, and what the audit log is told of it. */
import type { Env } from "../../env.ts";
import type { Account } from "../../model/account/account.ts";
import type { AuditEvent } from "../../model/account/audit.ts";
import type { AuditLog } from "../../store/private/audit-log.ts";

/** Who acts: an account, or whoever is at an address. */
export interface Actor {
  readonly username: string | null;
  /** As `AuditEvent.from`. */
  readonly address: string | null;
}

/** What tells the audit log; `Accounts` has it. */
export interface Audited {
  readonly auditLog: AuditLog;
  /** Whose doing it is what is done; `actingAs` gives another one. */
  readonly actor: Actor;
  readonly env: Pick<Env, "now">;
}

/** The accounts, where what is done to them is that actor's doing. */
export const actingAs = <A extends Audited>(accounts: A, actor: Actor): A => ({ ...accounts, actor });

interface Happening extends Pick<AuditEvent, "event"> {
  /** The account that it happened to. */
  readonly about?: Pick<Account, "username">;
  readonly detail?: string;
}

export function audit({ auditLog, actor, env }: Audited, { event, about, detail = "" }: Happening): void {
  auditLog.add({
    at: env.now(),
    event,
    by: actor.username,
    from: actor.address,
    about: about?.username ?? null,
    detail: detail.slice(0, DETAIL_MAX),
  });
}

/** @param how it proved who it is */
export const auditSignIn = (accounts: Audited, { username }: Account, how: string): void =>
  audit(actingAs(accounts, { ...accounts.actor, username }), { event: "signed-in", detail: how });

/** In characters, so that a line of the log is written at once. */
const DETAIL_MAX = 500;

const RIGHTS = [
  ...(["username", "email", "is_active", "is_staff", "is_superuser"] as const),
  ...(["user_permissions", "roles", "password", "identity"] as const),
];

/** Tells which of the values that decide what an account may do have changed; nothing where none has. */
export function auditChange(accounts: Audited, before: Account, after: Account): void {
  const changed = RIGHTS.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (changed.length > 0) audit(accounts, { event: "account-changed", about: after, detail: changed.join(", ") });
}
