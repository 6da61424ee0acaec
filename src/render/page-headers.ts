/** Security headers of pages and media files, for the service and for hosts of static files. */
import type { Config } from "../config.ts";
import type { MediaType } from "../model/media/media-type.ts";

export type HeaderFields = Readonly<Record<string, string>>;

/** Headers of every answer and file. */
export const COMMON_HEADERS: HeaderFields = { "x-content-type-options": "nosniff", "referrer-policy": "same-origin" };

/** A file can be replaced at the same URL, so caches must revalidate. */
export const REVALIDATED = "public, max-age=300";

/** Content-Security-Policy of files that may contain scripts: they do not run, and nothing is fetched. */
const SANDBOX: HeaderFields = { "content-security-policy": "sandbox; default-src 'none'; style-src 'unsafe-inline'" };

export const MEDIA_HEADERS: Readonly<Record<MediaType["delivery"], HeaderFields>> = {
  inline: {},
  sandboxed: SANDBOX,
  download: { ...SANDBOX, "content-disposition": "attachment" },
};

export const pageHeaders = (config: Config): HeaderFields => ({
  ...COMMON_HEADERS,
  ...(config.CONTENT_SECURITY_POLICY !== null && {
    "content-security-policy": pagePolicy(config, config.CONTENT_SECURITY_POLICY),
  }),
  // This header cannot name other origins, so it is sent only if none are trusted.
  ...(config.TRUSTED_ORIGINS.length === 0 && { "x-frame-options": "SAMEORIGIN" }),
});

/** Editors on trusted origins show previews in frames. */
const pagePolicy = (config: Config, policy: string): string =>
  /\bframe-ancestors\b/.test(policy)
    ? policy
    : `${policy}; frame-ancestors ${["'self'", ...config.TRUSTED_ORIGINS].join(" ")}`;

/** The policy of a page in the editor's preview: that of the site, and the scripts and requests of the bridge. */
export const previewPolicy = (policy: string): string => ["script-src", "connect-src"].reduce(withSelf, policy);

function withSelf(policy: string, name: string): string {
  const directives = policy
    .split(";")
    .map((directive) => directive.trim().split(/\s+/))
    .filter(([of]) => of !== "");
  const own = directives.find(([of]) => of!.toLowerCase() === name);
  const from = own ?? directives.find(([of]) => of!.toLowerCase() === "default-src");
  if (!from || from.includes("'self'")) return policy;
  const allowed = [name, ...from.slice(1).filter((source) => source !== "'none'"), "'self'"];
  return [...directives.filter((directive) => directive !== own), allowed].map((each) => each.join(" ")).join("; ");
}
