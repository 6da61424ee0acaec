/** Reading and setting cookies. */
import type { RequestHeaders } from "./request.ts";

/** The first cookie with a name; undefined without one. */
export function cookieOf(headers: RequestHeaders, name: string): string | undefined {
  for (const pair of (headers.get("cookie") ?? "").split(";")) {
    const at = pair.indexOf("=");
    if (at > 0 && pair.slice(0, at).trim() === name)
      return pair
        .slice(at + 1)
        .trim()
        .replace(/^"(.*)"$/, "$1");
  }
  return undefined;
}

interface CookieOptions {
  /** 0 removes the cookie. */
  readonly seconds: number;
  /** Sent over TLS only. */
  readonly secure: boolean;
  /** Not readable by scripts. */
  readonly httpOnly: boolean;
}

/** @param value without characters that need quoting */
export const setCookie = (name: string, value: string, { seconds, secure, httpOnly }: CookieOptions): string =>
  [
    `${name}=${value}`,
    "Path=/",
    `Max-Age=${seconds}`,
    "SameSite=Lax",
    ...(httpOnly ? ["HttpOnly"] : []),
    ...(secure ? ["Secure"] : []),
  ].join("; ");
