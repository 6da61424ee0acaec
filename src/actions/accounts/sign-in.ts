/** Signing in: an account by its name and password, and its token. */
import { CmsError, invalid } from "../../errors.ts";
import { isTooLong, type Account } from "../../model/account/account.ts";
import type { Accounts } from "./accounts.ts";
import type { Attempt } from "./attempts.ts";
import { audit } from "./auditing.ts";
import { takeCode } from "./one-time-codes.ts";
import { deriveToken } from "./token-owner.ts";

/**
 * Checks user name and password, and a one-time code where the account has turned them on, and sets `last_login` of the account to now.
 *
 * A wrong password, an unknown name and a disabled account give the same answer in the same time. A hash with outdated
 * parameters is replaced.
 *
 * Failures, of a one-time code too, count against the name and against the address of the client, `accounts.actor`.
 *
 * @throws CmsError `invalid` for wrong credentials, `throttled` after too many failures, `unavailable` when too many
 *   requests are waiting
 */
export async function authenticate(
  accounts: Accounts,
  username: string,
  password: string,
  code = "",
): Promise<Account> {
  const { attempts, actor, env } = accounts;
  let attempt: Attempt | undefined;
  try {
    attempt = attempts.begin(username, actor.address ?? "", env.elapsed());
    const account = await verifyPassword(accounts, username, password, code);
    attempt.succeed();
    return account;
  } catch (error) {
    const reason = error instanceof CmsError ? error.code : undefined;
    if (reason !== "invalid") attempt?.withdraw();
    if (reason === "invalid" || reason === "throttled") await auditRefusal(accounts, username, error as CmsError);
    throw error;
  }
}

/** Names without an account are not kept: people type passwords there. */
async function auditRefusal(accounts: Accounts, username: string, { code, fields }: CmsError): Promise<void> {
  const about = await accounts.store.findByName(username);
  const wrong = about ? (fields.code ? "wrong or no code" : "wrong password") : "unknown name";
  const detail = code === "throttled" ? "too many attempts" : wrong;
  audit(accounts, { event: "sign-in-refused", ...(about && { about }), detail });
}

async function verifyPassword(accounts: Accounts, username: string, password: string, code: string): Promise<Account> {
  const { store, hasher, env } = accounts;
  if (isTooLong(password)) throw wrongCredentials();
  const account = await store.findByName(username);
  const matches = await hasher.matches(password, account?.password ?? null);
  if (!account || !matches || !account.is_active) throw wrongCredentials();
  await takeCode(accounts, account, code);
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

const wrongCredentials = (): CmsError => invalid({ non_field_errors: ["Unable to log in with provided credentials."] });
