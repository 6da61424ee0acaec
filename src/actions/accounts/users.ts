/**
 * Administration of accounts by other accounts.
 *
 * In addition to permissions, an account may not create, change or delete an account with more permissions than its own
 * (`canAdminister`): otherwise the permission to change users would be the permission to do everything.
 */
import { CmsError, invalid } from "../../errors.ts";
import { accountVersion, NO_RIGHTS, passwordErrors, type Account } from "../../model/account/account.ts";
import { refuseStale } from "../../model/input/if-match.ts";
import { REQUIRED } from "../../model/input/input-errors.ts";
import type { Id } from "../../model/page/page.ts";
import { canAdminister } from "../../model/account/permission.ts";
import type { UserChange } from "../../model/account/user-input.ts";
import { addUser, removeUser, withNewToken, type Accounts } from "./accounts.ts";
import { audit, auditChange } from "./auditing.ts";

/** @throws CmsError `invalid` with the errors by field; `forbidden` for permissions that `by` does not have */
export async function createUser(accounts: Accounts, by: Account, change: UserChange): Promise<Account> {
  const { username, password } = change;
  if (username === undefined || password === undefined)
    throw invalid({
      ...(username === undefined && { username: [REQUIRED] }),
      ...(password === undefined && { password: [REQUIRED] }),
    });
  if (!canAdminister(by, { ...NO_RIGHTS, ...change })) throw notPermitted();
  return addUser(accounts, { ...change, username, password });
}

/**
 * Changes the sent values. A new password and disabling revoke token and sessions.
 *
 * @param versions if given, the account must be in one of them
 * @throws CmsError `invalid`, `not_found`, `stale`, or `forbidden` when the account has, or would get, more permissions
 */
export async function changeUser(
  accounts: Accounts,
  by: Account,
  id: Id,
  { password, ...fields }: UserChange,
  versions?: readonly string[],
): Promise<Account> {
  const permitChange = (before: Account, after: Account): void => {
    permit(by, before, versions);
    if (!canAdminister(by, after)) throw notPermitted();
  };
  const known = await accounts.store.get(id);
  permitChange(known, { ...known, ...fields });
  const hash = password === undefined ? undefined : await hashed(accounts, password, fields.username ?? known.username);
  let former = known;
  const changed = await accounts.store.update(id, (before) => {
    former = before;
    const after = { ...before, ...fields, ...(hash !== undefined && { password: hash }) };
    permitChange(before, after);
    const isOver = hash !== undefined || (before.is_active && !after.is_active);
    return isOver ? withNewToken(after) : after;
  });
  auditChange(accounts, former, changed);
  return changed;
}

/** @throws CmsError `not_found`, `stale`, or `forbidden` for an account with more permissions */
export const deleteUser = (accounts: Accounts, by: Account, id: Id, versions?: readonly string[]): Promise<void> =>
  removeUser(accounts, id, (account) => permit(by, account, versions));

/** Revokes the account's token and sessions. @throws CmsError as `deleteUser` */
export async function revokeAccess(
  accounts: Accounts,
  by: Account,
  id: Id,
  versions?: readonly string[],
): Promise<Account> {
  const revoked = await accounts.store.update(id, (account) => {
    permit(by, account, versions);
    return withNewToken(account);
  });
  audit(accounts, { event: "access-revoked", about: revoked });
  return revoked;
}

async function hashed({ hasher }: Accounts, password: string, username: string): Promise<string> {
  const errors = passwordErrors(password, username);
  if (errors.length > 0) throw invalid({ password: errors });
  return hasher.hash(password);
}

/** @throws CmsError `stale`, `forbidden` */
function permit(by: Account, account: Account, versions: readonly string[] | undefined): void {
  refuseStale(accountVersion(account), versions);
  if (!canAdminister(by, account)) throw notPermitted();
}

const notPermitted = (): CmsError => new CmsError("forbidden", "You do not have permission to perform this action.");
