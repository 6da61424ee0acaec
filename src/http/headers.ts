/** What every answer tells the browser to refuse, by what the answer is. */
import type { Config } from "../config.ts";
import type { Headers, Reply } from "./reply.ts";

const ALWAYS: Headers = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** JSON is to be read by programs: shown in a browser it may do nothing at all. */
const DATA: Headers = { ...ALWAYS, "content-security-policy": "default-src 'none'; frame-ancestors 'none'" };

/** As a list, since it is made for every answer. */
export type HeadersFor = (reply: Reply) => readonly (readonly [string, string])[];

/** Chosen once for a site; what an answer says itself goes before it. */
export function protectiveHeaders(config: Config): HeadersFor {
  const page: Headers = {
    ...ALWAYS,
    ...(config.CONTENT_SECURITY_POLICY !== null && { "content-security-policy": pagePolicy(config, config.CONTENT_SECURITY_POLICY) }),
    // Cannot name other origins, so it stands only where there are none.
    ...(config.TRUSTED_ORIGINS.length === 0 && { "x-frame-options": "SAMEORIGIN" }),
  };
  const [always, data, pages] = [ALWAYS, DATA, page].map((headers) => Object.entries(headers));
  return ({ headers }) => {
    const type = headers["content-type"];
    if (type === undefined) return always!;
    if (type.startsWith("application/json")) return data!;
    return type.startsWith("text/html") ? pages! : always!;
  };
}

/** Editors on trusted origins show previews in frames. */
const pagePolicy = (config: Config, policy: string): string =>
  /\bframe-ancestors\b/.test(policy) ? policy : `${policy}; frame-ancestors ${["'self'", ...config.TRUSTED_ORIGINS].join(" ")}`;
