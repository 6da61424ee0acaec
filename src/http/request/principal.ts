/** Who makes a request: the account of a token or of a session, or an anonymous client. */
import { isNamedToken, ownerOfNamedToken } from "../../actions/accounts/named-tokens.ts";
import { ownerOfToken } from "../../actions/accounts/token-owner.ts";
import { accountBySession } from "../../actions/accounts/sessions.ts";
import { CmsError } from "../../errors.ts";
import type { SiteContext } from "../../library/context.ts";
import type { Account } from "../../model/account/account.ts";
import { withRights, type Principal } from "../../model/access/role-rights.ts";
import { rolesIn } from "../../store/records/people/roles.ts";
import { cookieOf } from "./cookies.ts";
import type { RequestHeaders } from "./request.ts";

export const SESSION_COOKIE = "sessionid";

interface Found {
  /** The account with the rights of its roles (`withRights`). */
  readonly user?: Account;
  /** The account as it is stored, and how its token is narrowed. */
  readonly principal?: Principal;
  /** The session id, when the account was found by it and not by a token. */
  readonly session?: string;
  readonly isNamedToken?: boolean;
}

export const ANONYMOUS: Found = {};

/**
 * Finds the account of a request; a token has priority over a session.
 *
 * An invalid token is an error, even for public routes. An invalid session is ignored, since browsers
 * send stale cookies unasked.
 *
 * @param withSession false: sessions are not looked up, because the route is public
 * @throws CmsError `unauthenticated`
 */
export async function principalOf(
  { accounts, live }: Pick<SiteContext, "accounts" | "live">,
  headers: RequestHeaders,
  withSession: boolean,
): Promise<Found> {
  const found = (principal: Principal): Found => ({
    principal,
    user: withRights(principal, rolesIn(live.store.current)),
  });
  const token = tokenIn(headers);
  if (token !== undefined) {
    const isNamed = isNamedToken(token);
    const user = await (isNamed ? ownerOfNamedToken(accounts, token) : ownerOfToken(accounts.store, token));
    if (user?.is_active) return { ...found(user), ...(isNamed && { isNamedToken: true }) };
    throw new CmsError("unauthenticated", user ? "User inactive or deleted." : "Invalid token.");
  }
  const session = withSession ? cookieOf(headers, SESSION_COOKIE) : undefined;
  const user = session === undefined ? undefined : await accountBySession(accounts, session);
  return user ? { ...found(user), session } : ANONYMOUS;
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
