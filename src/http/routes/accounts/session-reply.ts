/** The cookies that sign a browser in. */
import { STEP_SECONDS } from "../../../actions/accounts/sealed.ts";
import { openSession, SESSION_SECONDS } from "../../../actions/accounts/sessions.ts";
import type { Account } from "../../../model/account/account.ts";
import type { Instant } from "../../../model/time/instant.ts";
import { cookieOf, setCookie } from "../../request/cookies.ts";
import { CSRF_COOKIE } from "../../request/csrf.ts";
import { SESSION_COOKIE } from "../../request/principal.ts";
import { json, PRIVATE, type Reply } from "../../request/reply.ts";
import { accountsBy, type Call } from "../../app/route.ts";

/** In seconds. The token in it is valid only as long as its session. */
const CSRF_SECONDS = 364 * 24 * 3600;

interface SessionTerms {
  /** When the account proved who it is, if that was before now. */
  readonly confirmedAt?: Instant;
  /** How long it lasts. */
  readonly seconds?: number;
}

/** Opens a session, in place of that which the browser has. */
export async function sessionCookies(
  call: Call,
  account: Account,
  terms: SessionTerms = {},
): Promise<readonly string[]> {
  const { id, csrf } = await openSession(accountsBy(call), account, {
    former: cookieOf(call.headers, SESSION_COOKIE),
    agent: call.headers.get("user-agent") ?? "",
    ...terms,
  });
  const secure = isOverTls(call);
  return [
    setCookie(SESSION_COOKIE, id, { seconds: terms.seconds ?? SESSION_SECONDS, secure, httpOnly: true }),
    setCookie(CSRF_COOKIE, csrf, { seconds: CSRF_SECONDS, secure, httpOnly: false }),
  ];
}

export const sessionReply = async (call: Call, account: Account, detail: string): Promise<Reply> => ({
  ...json({ detail }, 200, PRIVATE),
  cookies: await sessionCookies(call, account),
});

export const isOverTls = (call: Call): boolean => call.origin.startsWith("https:");

/** Keeps a sealed value between two steps. */
export const stepCookie = (call: Call, name: string, sealed: string): string =>
  setCookie(name, sealed, { seconds: STEP_SECONDS, secure: isOverTls(call), httpOnly: true });

export const usedStep = (call: Call, name: string): string =>
  setCookie(name, "", { seconds: 0, secure: isOverTls(call), httpOnly: true });

/** "" for none. */
export const keptStep = (call: Call, name: string): string => cookieOf(call.headers, name) ?? "";

export const stepReply = (call: Call, body: unknown, name: string, sealed: string): Reply => ({
  ...json(body, 200, PRIVATE),
  cookies: [stepCookie(call, name, sealed)],
});

/** Where the browser has to be for a passkey. */
export const passkeyPlaceOf = (call: Call) => ({ origin: new URL(call.origin).origin });

/** What the site is called in apps and password managers. */
export const siteNameOf = (call: Call): string => call.ctx.config.SITE_NAME ?? new URL(call.origin).host;
