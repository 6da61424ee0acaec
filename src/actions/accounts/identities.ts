/** Accounts of people whom a provider of identities knows: found, made at the first sign-in, connected. */
import type { OidcProvider } from "../../config/sign-in-settings.ts";
import { CmsError } from "../../errors.ts";
import { NO_RIGHTS, sameUsername, type Account, type Identity } from "../../model/account/account.ts";
import { isSameIdentity, profileOf, usernameOf } from "../../model/account/identity.ts";
import type { JsonObject } from "../../model/input/json.ts";
import type { Id } from "../../model/input/id.ts";
import type { Accounts } from "./accounts.ts";
import { audit, auditChange } from "./auditing.ts";

/**
 * The account of a person, with what the provider says now; made where there is none and a group of the person has roles here.
 *
 * @throws CmsError `forbidden` for a person without an account or a group with roles, and for a disabled account
 */
export async function accountOfIdentity(
  accounts: Accounts,
  provider: OidcProvider,
  claims: JsonObject,
): Promise<Account> {
  const { store, env } = accounts;
  const identity = identityOf(provider, claims);
  const profile = profileOf(claims, provider.GROUPS, provider.ROLES);
  const known = (await store.list()).find((account) => isSameIdentity(account.identity, identity));
  const isMember = profile.roles ? profile.roles.length > 0 : known !== undefined;
  if (!isMember) throw refused(accounts, known, "No group of yours may sign in here.");
  if (known && !known.is_active) throw refused(accounts, known, "This account is disabled.");
  if (!known) return addProvided(accounts, identity, claims, profile);
  // The address says who wrote what: with another one a person could approve drafts of its own.
  const { email: _ofFirstSignIn, ...changing } = profile;
  const after = await store.update(known.id, (newest) => {
    if (!newest.is_active) throw refused(accounts, newest, "This account is disabled.");
    return { ...newest, ...changing, last_login: env.now() };
  });
  auditChange(accounts, known, after);
  return after;
}

async function addProvided(
  accounts: Accounts,
  identity: Identity,
  claims: JsonObject,
  profile: Partial<Account>,
): Promise<Account> {
  const { store, env } = accounts;
  const { id: _id, token_version: _version, has_token: _token, date_joined: _joined, ...blank } = NO_RIGHTS;
  const names = (await store.list()).map(({ username }) => username);
  const username = usernameOf(claims, (name) => names.some((taken) => sameUsername(taken, name)));
  const added = await store.add({ ...blank, ...profile, username, identity });
  audit(accounts, { event: "account-added", about: added, detail: `by ${identity.issuer}` });
  return store.update(added.id, (newest) => ({ ...newest, last_login: env.now() }));
}

/** Connects an account with the identity that it signs in by from now on. @throws CmsError `forbidden` where another one has it */
export async function connectIdentity(
  accounts: Accounts,
  provider: OidcProvider,
  claims: JsonObject,
  id: Id,
): Promise<Account> {
  const identity = identityOf(provider, claims);
  const holder = (await accounts.store.list()).find((account) => isSameIdentity(account.identity, identity));
  if (holder && holder.id !== id) throw refused(accounts, holder, "Another account is connected with this identity.");
  const before = await accounts.store.get(id);
  const after = await accounts.store.update(id, (newest) => ({ ...newest, identity }));
  auditChange(accounts, before, after);
  return after;
}

const identityOf = ({ ISSUER }: OidcProvider, { iss, sub }: JsonObject): Identity => ({
  issuer: typeof iss === "string" ? iss : ISSUER,
  subject: String(sub),
});

function refused(accounts: Accounts, about: Account | undefined, message: string): CmsError {
  audit(accounts, { event: "sign-in-refused", ...(about && { about }), detail: message });
  return new CmsError("forbidden", message);
}
