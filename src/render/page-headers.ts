/** What a browser is told to refuse on pages, whoever serves them: the service, or a host of static files. */
import type { Config } from "../config.ts";

export type HeaderFields = Readonly<Record<string, string>>;

export const ALWAYS: HeaderFields = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** Nothing in a file may run, fetch or be framed as part of the site. */
export const BOXED = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

export const pageHeaders = (config: Config): HeaderFields => ({
  ...ALWAYS,
  ...(config.CONTENT_SECURITY_POLICY !== null && {
    "content-security-policy": pagePolicy(config, config.CONTENT_SECURITY_POLICY),
  }),
  // Cannot name other origins, so it stands only where there are none.
  ...(config.TRUSTED_ORIGINS.length === 0 && { "x-frame-options": "SAMEORIGIN" }),
});

/** Editors on trusted origins show previews in frames. */
const pagePolicy = (config: Config, policy: string): string =>
  /\bframe-ancestors\b/.test(policy)
    ? policy
    : `${policy}; frame-ancestors ${["'self'", ...config.TRUSTED_ORIGINS].join(" ")}`;
