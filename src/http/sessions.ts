/** Signing in and out with cookies (contract.md 3.2). */
import { authenticate } from "../actions/accounts.ts";
import { closeSession, openSession, SESSION_SECONDS } from "../actions/sessions.ts";
import { CREDENTIALS_MAX, readCredentials } from "./accounts.ts";
import { SESSION_COOKIE } from "./caller.ts";
import { cookieOf, setCookie } from "./cookies.ts";
import { CSRF_COOKIE, refuseForeignOrigin } from "./csrf.ts";
import { json, PRIVATE, type Reply } from "./reply.ts";
import type { Call, Route } from "./route.ts";

export const sessionRoutes: readonly Route[] = [
  { method: "POST", path: "auth/login", access: "public", handle: logIn },
  { method: "GET", path: "auth/logout", access: "public", handle: logOut },
];

/** In seconds; the value itself ends with its session. */
const CSRF_SECONDS = 364 * 24 * 3600;

/** A foreign page may not sign its visitor in either: they would write in somebody else's account without noticing. */
async function logIn(call: Call): Promise<Reply> {
  const { accounts, config } = call.ctx;
  refuseForeignOrigin(config, call);
  const { username, password } = readCredentials(await call.body(CREDENTIALS_MAX));
  const account = await authenticate(accounts, username, password, call.address);
  const { id, csrf } = await openSession(accounts, account, cookieOf(call.headers, SESSION_COOKIE));
  const secure = call.origin.startsWith("https:");
  return {
    ...json({ detail: "Logged in" }, 200, PRIVATE),
    cookies: [
      setCookie(SESSION_COOKIE, id, { seconds: SESSION_SECONDS, secure, httpOnly: true }),
      setCookie(CSRF_COOKIE, csrf, { seconds: CSRF_SECONDS, secure, httpOnly: false }),
    ],
  };
}

/** Whoever asks is signed out afterwards, whether or not they were in. */
async function logOut(call: Call): Promise<Reply> {
  const id = cookieOf(call.headers, SESSION_COOKIE);
  if (id !== undefined) await closeSession(call.ctx.accounts, id);
  const secure = call.origin.startsWith("https:");
  return {
    ...json({ detail: "Logged out" }, 200, PRIVATE),
    cookies: [setCookie(SESSION_COOKIE, "", { seconds: 0, secure, httpOnly: true })],
  };
}
