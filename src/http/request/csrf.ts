/**
 * Protects writes with a session against cross-site request forgery: they must come from the site's own pages or a
 * trusted origin. Writes with a token need no protection, since another site cannot make a browser send a token.
 */
import { isCsrfOf } from "../../actions/accounts/sessions.ts";
import type { Accounts } from "../../actions/accounts/accounts.ts";
import type { Config } from "../../config.ts";
import { CmsError } from "../../errors.ts";
import { cookieOf } from "./cookies.ts";
import { requestedOrigin, type ConnectionInfo } from "./origin.ts";

export const CSRF_COOKIE = "csrftoken";

/**
 * The header must equal the cookie, and both the value issued with this session. So a cookie that was set by another
 * host of the same domain is refused.
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
  if (cookie === undefined) throw csrfError("CSRF cookie not set.");
  if (header === null) throw csrfError("CSRF token missing.");
  if (header !== cookie || !(await isCsrfOf(accounts, session, header))) throw csrfError("CSRF token incorrect.");
}

/** The origin `null`, which sandboxed pages send, is never trusted. @throws CmsError `forbidden` */
export function refuseForeignOrigin(config: Config, connection: ConnectionInfo): void {
  const origin = connection.headers.get("origin");
  if (origin === null) return;
  if ([config.BASE_URL, ...config.TRUSTED_ORIGINS].includes(origin) || origin === requestedOrigin(config, connection))
    return;
  throw csrfError("Origin checking failed - it does not match any trusted origins.");
}

const csrfError = (reason: string): CmsError => new CmsError("forbidden", `CSRF Failed: ${reason}`);
