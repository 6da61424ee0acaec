/** Who makes a request: nobody, the bearer of a token, or somebody with a session. */
import { accountByToken, isTokenOfDisabled, type Accounts } from "../actions/accounts.ts";
import { accountBySession } from "../actions/sessions.ts";
import { CmsError } from "../errors.ts";
import type { Account } from "../model/account.ts";
import { cookieOf } from "./cookies.ts";

export const SESSION_COOKIE = "sessionid";

export interface Principal {
  readonly user?: Account;
  /** The id in the cookie, where the session is what says who it is. */
  readonly session?: string;
}

export const ANONYMOUS: Principal = {};

/**
 * A token that is no good is an error, also where none is needed (contract.md 1.4); a session that is none counts as no
 * session, since browsers send stale cookies unasked. A token goes before a session.
 *
 * @param needed false: a session would make no difference, so it is not looked up
 * @throws CmsError `unauthenticated`
 */
export async function authenticate(accounts: Accounts, headers: Headers, needed: boolean): Promise<Principal> {
  const token = tokenIn(headers);
  if (token !== undefined) {
    const user = await accountByToken(accounts, token);
    if (user) return { user };
    const isDisabled = await isTokenOfDisabled(accounts, token);
    throw new CmsError("unauthenticated", isDisabled ? "User inactive or deleted." : "Invalid token.");
  }
  const session = needed ? cookieOf(headers, SESSION_COOKIE) : undefined;
  const user = session === undefined ? undefined : await accountBySession(accounts, session);
  return user ? { user, session } : ANONYMOUS;
}

/** `Authorization: Token ...`; other schemes count as none (contract.md 3.1). @throws CmsError `unauthenticated` */
function tokenIn(headers: Headers): string | undefined {
  const header = headers.get("authorization");
  if (header === null) return undefined;
  const [scheme = "", ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== "token") return undefined;
  if (rest.length === 0) throw new CmsError("unauthenticated", "Invalid token header. No credentials provided.");
  if (rest.length > 1)
    throw new CmsError("unauthenticated", "Invalid token header. Token string should not contain spaces.");
  return rest[0];
}
