/** Accounts: creation, authentication by password, tokens, removal. */
import type { Env } from "../../env.ts";
import { CmsError, invalid, notFound, refuseInvalid } from "../../errors.ts";
import {
  emailErrors,
  isTooLong,
  nameErrors,
  normalUsername,
  passwordErrors,
  usernameErrors,
  type Account,
} from "../../model/account/account.ts";
import type { Id } from "../../model/page/page.ts";
import { accountStore, type AccountStore } from "../../store/private/accounts.ts";
import { openAutosaves, type Autosaves } from "../../store/private/autosaves.ts";
import { previewLinkStore, type PreviewLinkStore } from "../../store/private/preview-links.ts";
import { sessionStore, type SessionStore } from "../../store/private/sessions.ts";
import { countAttempts, type Attempts } from "./attempts.ts";
import { passwordHasher, type HashCost, type Hasher } from "./password-hashes.ts";
import { deriveToken } from "./tokens.ts";

export interface Accounts {
  readonly store: AccountStore;
  readonly sessions: SessionStore;
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
}

/** @param options.cost lower it in tests only: such hashes are weak */
export const openAccounts = (stateDir: string, env: Env, options: { cost?: HashCost } = {}): Accounts => ({
  store: accountStore(stateDir, env),
  sessions: sessionStore(stateDir),
  previewLinks: previewLinkStore(stateDir),
  autosaves: openAutosaves(stateDir),
  attempts: countAttempts(),
  hasher: passwordHasher(options.cost),
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
  return accounts.store.add({
    username,
    email: user.email ?? "",
    first_name: user.first_name ?? "",
    last_name: user.last_name ?? "",
    is_staff: user.is_staff ?? false,
    is_superuser: user.is_superuser ?? false,
    is_active: user.is_active ?? true,
    user_permissions: user.user_permissions ?? null,
    password: await accounts.hasher.hash(user.password),
  });
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
  return accounts.store.update(id, (newest) => ({ ...withNewToken(newest), password: hash }));
}

/**
 * Also removes what the account typed and did not save. Its preview links and sessions end with it.
 *
 * @param permit gets the newest state and throws to keep the account
 * @throws CmsError `not_found`
 */
export async function removeUser(
  { store, autosaves }: Accounts,
  id: Id,
  permit?: (account: Account) => void,
): Promise<void> {
  await store.remove(id, permit);
  await autosaves.removeOfOthersThan(async () => new Set((await store.list()).map((account) => account.id)));
}

/**
 * Checks user name and password, and sets `last_login` of the account to now.
 *
 * A wrong password, an unknown name and a disabled account give the same answer in the same time. A hash with outdated
 * parameters is replaced.
 *
 * @param address of the client; failures count against it and against the name
 * @throws CmsError `invalid` for wrong credentials, `throttled` after too many failures, `unavailable` when too many
 *   requests are waiting
 */
export async function authenticate(
  accounts: Accounts,
  username: string,
  password: string,
  address = "",
): Promise<Account> {
  const attempt = accounts.attempts.begin(username, address, accounts.env.elapsed());
  try {
    const account = await verifyPassword(accounts, username, password);
    attempt.succeed();
    return account;
  } catch (error) {
    if (!(error instanceof CmsError) || error.code !== "invalid") attempt.withdraw();
    throw error;
  }
}

async function verifyPassword({ store, hasher, env }: Accounts, username: string, password: string): Promise<Account> {
  if (isTooLong(password)) throw wrongCredentials();
  const account = await store.findByName(username);
  const matches = await hasher.matches(password, account?.password ?? null);
  if (!account || !matches || !account.is_active) throw wrongCredentials();
  const rehashed = hasher.isCurrent(account.password) ? account.password : await hasher.hash(password);
  return store.update(account.id, (newest) => {
    // The account was changed or disabled while the hash was computed.
    if (newest.password !== account.password || !newest.is_active) throw wrongCredentials();
    return { ...newest, password: rehashed, last_login: env.now() };
  });
}

/** The account's token: 40 hexadecimal digits, the same until its version changes. */
export const tokenOf = async (accounts: Accounts, account: Account): Promise<string> =>
  deriveToken(await accounts.store.secret(), account);

/**
 * The account's token; sets `has_token`.
 *
 * @param account as it signed in. If its tokens have been revoked since, as by a new password, the token is one of those: a
 *   token of the newest version would let the old password in.
 */
export async function issueToken(accounts: Accounts, account: Account): Promise<string> {
  if (!account.has_token)
    await accounts.store.update(account.id, (newest) =>
      newest.token_version === account.token_version ? { ...newest, has_token: true } : newest,
    );
  return tokenOf(accounts, account);
}

/** Revokes the account's token and sessions. @throws CmsError `not_found` */
export const rotateToken = (accounts: Accounts, id: Id): Promise<Account> => accounts.store.update(id, withNewToken);

/** The account with a new token version, which revokes its token and sessions. */
export const withNewToken = (account: Account): Account => ({
  ...account,
  token_version: account.token_version + 1,
  has_token: false,
});

const wrongCredentials = (): CmsError => invalid({ non_field_errors: ["Unable to log in with provided credentials."] });

function refuseMessages(errors: { readonly [field: string]: readonly string[] }): void {
  refuseInvalid(Object.fromEntries(Object.entries(errors).filter(([, messages]) => messages.length > 0)));
}
