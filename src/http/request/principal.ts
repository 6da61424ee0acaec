/** Who makes a request: the account of a token or of a session, or an anonymous client. */
import type { Accounts } from "../../actions/accounts/accounts.ts";
import { isNamedToken, ownerOfNamedToken } from "../../actions/accounts/named-tokens.ts";
import { ownerOfToken } from "../../actions/accounts/token-owner.ts";
import { accountBySession } from "../../actions/accounts/sessions.ts";
import { CmsError } from "../../errors.ts";
import type { Principal } from "../../model/access/may.ts";
import { cookieOf } from "./cookies.ts";
import type { RequestHeaders } from "./request.ts";

export const SESSION_COOKIE = "sessionid";

interface Caller {
  /** Narrowed where a narrowed token was sent. */
  readonly user?: Principal;
  /** The session id, when the account was found by it and not by a token. */
  readonly session?: string;
  readonly isNamedToken?: boolean;
}

export const ANONYMOUS: Caller = {};

/**
 * Finds the account of a request; a token has priority over a session.
 *
 * An invalid token is an error, even for public routes. An invalid session is ignored, since browsers
 * send stale cookies unasked.
 *
 * @param withSession false: sessions are not looked up, because the route is public
 * @throws CmsError `unauthenticated`
 */
export async function principalOf(accounts: Accounts, headers: RequestHeaders, withSession: boolean): Promise<Caller> {
  const token = tokenIn(headers);
  if (token !== undefined) {
    const isNamed = isNamedToken(token);
    const user = await (isNamed ? ownerOfNamedToken(accounts, token) : ownerOfToken(accounts.store, token));
    if (user?.is_active) return { user, ...(isNamed && { isNamedToken: true }) };
    throw new CmsError("unauthenticated", user ? "User inactive or deleted." : "Invalid token.");
  }
  const session = withSession ? cookieOf(headers, SESSION_COOKIE) : undefined;
  const user = session === undefined ? undefined : await accountBySession(accounts, session);
  return user ? { user, session } : ANONYMOUS;
}

/**
 * The token in `Authorization: Token ...`; other schemes are ignored.
 *
 * @throws CmsError `unauthenticated` for a malformed header
 */
function tokenIn(headers: RequestHeaders): string | undefined {
  const header = headers.get("authorization");
  if (header === null) return undefined;
  const [scheme = "", ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== "token") return undefined;
  if (rest.length === 0) throw new CmsError("unauthenticated", "Invalid token header. No credentials provided.");
  if (rest.length > 1)
    throw new CmsError("unauthenticated", "Invalid token header. Token string should not contain spaces.");
  return rest[0];
}
