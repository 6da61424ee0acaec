/** Accounts: creation, passwords, revoked tokens, removal. */
import type { Env } from "../../env.ts";
import { notFound, refuseInvalid } from "../../errors.ts";
import {
  emailErrors,
  nameErrors,
  normalUsername,
  passwordErrors,
  usernameErrors,
  type Account,
} from "../../model/account/account.ts";
import type { Id } from "../../model/page/page.ts";
import { accountStore, type AccountStore } from "../../store/private/accounts.ts";
import { openAuditLog } from "../../store/private/audit-log.ts";
import { openAutosaves, type Autosaves } from "../../store/private/autosaves.ts";
import { previewLinkStore, type PreviewLinkStore } from "../../store/private/preview-links.ts";
import { namedTokenStore, type NamedTokenStore } from "../../store/private/named-tokens.ts";
import { proofStore, type ProofStore } from "../../store/private/proofs.ts";
import { sessionStore, type SessionStore } from "../../store/private/sessions.ts";
import { countAttempts, type Attempts } from "./attempts.ts";
import { audit, auditChange, type Audited } from "./auditing.ts";
import { openSpent, type Spent } from "./sealed.ts";
import { passwordHasher, type HashCost, type Hasher } from "./password-hashes.ts";

export interface Accounts extends Audited {
  readonly store: AccountStore;
  readonly sessions: SessionStore;
  readonly namedTokens: NamedTokenStore;
  /** Passkeys and one-time codes. */
  readonly proofs: ProofStore;
  readonly spent: Spent;
  readonly previewLinks: PreviewLinkStore;
  readonly autosaves: Autosaves;
  readonly attempts: Attempts;
  readonly hasher: Hasher;
  readonly env: Env;
}

export interface NewUser {
  readonly username: string;
  readonly password: string;
  readonly email?: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly is_staff?: boolean;
  readonly is_superuser?: boolean;
  readonly is_active?: boolean;
  readonly user_permissions?: readonly string[] | null;
  readonly roles?: readonly string[];
}

interface AccountsOptions {
  /** Lower it in tests only: such hashes are weak. */
  readonly cost?: HashCost;
  /** Days after which a server removes events of the audit log; other programs remove none. */
  readonly auditDays?: number;
  /** Where changes come from that are made by no account; null: a program. */
  readonly from?: string | null;
}

export const openAccounts = (stateDir: string, env: Env, options: AccountsOptions = {}): Accounts => ({
  store: accountStore(stateDir, env),
  sessions: sessionStore(stateDir),
  proofs: proofStore(stateDir),
  spent: openSpent(),
  namedTokens: namedTokenStore(stateDir, (error) => env.log.error("The use of a token was not noted", error)),
  previewLinks: previewLinkStore(stateDir),
  autosaves: openAutosaves(stateDir),
  attempts: countAttempts(),
  hasher: passwordHasher(options.cost),
  auditLog: openAuditLog(stateDir, env.log, options.auditDays ?? null),
  actor: { username: null, address: options.from ?? null },
  env,
});

/** @throws CmsError `invalid` with the errors by field, also when the name is taken */
export async function addUser(accounts: Accounts, user: NewUser): Promise<Account> {
  const username = normalUsername(user.username);
  refuseMessages({
    username: usernameErrors(username),
    email: emailErrors(user.email ?? ""),
    first_name: nameErrors(user.first_name ?? ""),
    last_name: nameErrors(user.last_name ?? ""),
    password: passwordErrors(user.password, username),
  });
  const added = await accounts.store.add({
    username,
    email: user.email ?? "",
    first_name: user.first_name ?? "",
    last_name: user.last_name ?? "",
    is_staff: user.is_staff ?? false,
    is_superuser: user.is_superuser ?? false,
    is_active: user.is_active ?? true,
    user_permissions: user.user_permissions ?? null,
    roles: user.roles ?? [],
    password: await accounts.hasher.hash(user.password),
  });
  const rights = added.is_superuser ? "superuser" : added.is_staff ? "staff" : "";
  audit(accounts, { event: "account-added", about: added, detail: rights });
  return added;
}

/**
 * Also revokes the account's token and sessions.
 *
 * @throws CmsError `not_found`, or `invalid` when the password breaks the rules
 */
export async function setPassword(accounts: Accounts, id: Id, password: string): Promise<Account> {
  const account = await accounts.store.find(id);
  if (!account) throw notFound("User");
  refuseMessages({ password: passwordErrors(password, account.username) });
  const hash = await accounts.hasher.hash(password);
  const changed = await accounts.store.update(id, (newest) => ({ ...withNewToken(newest), password: hash }));
  auditChange(accounts, account, changed);
  return changed;
}

/**
 * Also removes what the account typed and did not save. Its preview links and sessions end with it.
 *
 * @param permit gets the newest state and throws to keep the account
 * @throws CmsError `not_found`
 */
export async function removeUser(accounts: Accounts, id: Id, permit?: (account: Account) => void): Promise<void> {
  const { store, autosaves } = accounts;
  const removed = await store.remove(id, permit);
  await removeProofs(accounts, id);
  audit(accounts, { event: "account-removed", about: removed });
  await autosaves.removeOfOthersThan(async () => new Set((await store.list()).map((account) => account.id)));
}

/** Removes the passkeys and the one-time codes of an account, as for a lost telephone. @returns whether it had any */
export const removeProofs = ({ proofs }: Accounts, id: Id): Promise<boolean> =>
  proofs.update((all) => {
    const of = ({ account }: { readonly account: Id }): boolean => account === id;
    if (!all.passkeys.some(of) && !all.codes.some(of)) return [all, false];
    const isOther = (each: { readonly account: Id }): boolean => !of(each);
    return [{ passkeys: all.passkeys.filter(isOther), codes: all.codes.filter(isOther) }, true];
  });

/** Revokes the account's token and sessions. @throws CmsError `not_found` */
export async function rotateToken(accounts: Accounts, id: Id): Promise<Account> {
  const account = await accounts.store.update(id, withNewToken);
  audit(accounts, { event: "access-revoked", about: account });
  return account;
}

/** The account with a new token version, which revokes its token and sessions. */
export const withNewToken = (account: Account): Account => ({
  ...account,
  token_version: account.token_version + 1,
  has_token: false,
});

function refuseMessages(errors: { readonly [field: string]: readonly string[] }): void {
  refuseInvalid(Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0)));
}
