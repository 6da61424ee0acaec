/**
 * That a write made with a session comes from the site's own pages, or from an origin the settings trust.
 *
 * Tokens need none of this: no other site can make a browser send one.
 */
import { isCsrfOf } from "../actions/sessions.ts";
import type { Accounts } from "../actions/accounts.ts";
import type { Config } from "../config.ts";
import { CmsError } from "../errors.ts";
import { cookieOf } from "./cookies.ts";
import { requestedOrigin, type ConnectionInfo } from "./origin.ts";

export const CSRF_COOKIE = "csrftoken";

/**
 * The header must equal the cookie, and both the value given out with this session: a cookie planted by a neighbouring
 * host does not help.
 *
 * @throws CmsError `forbidden`
 */
export async function refuseForgery(
  accounts: Accounts,
  config: Config,
  connection: ConnectionInfo,
  session: string,
): Promise<void> {
  refuseForeignOrigin(config, connection);
  const cookie = cookieOf(connection.headers, CSRF_COOKIE);
  const header = connection.headers.get("x-csrftoken");
  if (cookie === undefined) throw failed("CSRF cookie not set.");
  if (header === null) throw failed("CSRF token missing.");
  if (header !== cookie || !(await isCsrfOf(accounts, session, header))) throw failed("CSRF token incorrect.");
}

/** Also `null`, which sandboxed pages send, is an origin nobody trusts. @throws CmsError `forbidden` */
export function refuseForeignOrigin(config: Config, connection: ConnectionInfo): void {
  const origin = connection.headers.get("origin");
  if (origin === null) return;
  if ([config.BASE_URL, ...config.TRUSTED_ORIGINS].includes(origin) || origin === requestedOrigin(config, connection))
    return;
  throw failed("Origin checking failed - it does not match any trusted origins.");
}

const failed = (reason: string): CmsError => new CmsError("forbidden", `CSRF Failed: ${reason}`);
