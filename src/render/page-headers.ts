/** Security headers of pages, for the service and for hosts of static files. */
import type { Config } from "../config.ts";

export type HeaderFields = Readonly<Record<string, string>>;

export const ALWAYS: HeaderFields = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** Content-Security-Policy of a file that may hold scripts: they do not run, and nothing is fetched. */
export const BOXED = "sandbox; default-src 'none'; style-src 'unsafe-inline'";

export const pageHeaders = (config: Config): HeaderFields => ({
  ...ALWAYS,
  ...(config.CONTENT_SECURITY_POLICY !== null && {
    "content-security-policy": pagePolicy(config, config.CONTENT_SECURITY_POLICY),
  }),
  // It cannot name other origins, so it is sent only if none are trusted.
  ...(config.TRUSTED_ORIGINS.length === 0 && { "x-frame-options": "SAMEORIGIN" }),
});

/** Editors on trusted origins show previews in frames. */
const pagePolicy = (config: Config, policy: string): string =>
  /\bframe-ancestors\b/.test(policy)
    ? policy
    : `${policy}; frame-ancestors ${["'self'", ...config.TRUSTED_ORIGINS].join(" ")}`;
