/**
 * One list of redirects, in the form that each host of static files reads.
 *
 * The service compares a path without its final slash, so a rule is written for both forms; a file has only the one. Of
 * several redirects from one address the first counts, as in the service, and as some hosts would refuse a second rule.
 */
import { encodePath } from "../model/language/locale.ts";
import { nameError } from "../model/address/possible-names.ts";
import { encodeAttribute } from "../model/text/html-tokens.ts";
import { trimEnd } from "../model/text/trim.ts";
import type { Manifest } from "../views/manifest/manifest.ts";

type Redirect = Manifest["redirects"][number];

/** The hosts whose rules a build writes when it is asked to. Those for Netlify and Cloudflare, `_redirects`, are always written. */
export const REDIRECT_HOSTS = ["nginx", "apache", "caddy", "vercel", "github-pages"] as const;
export type RedirectHost = (typeof REDIRECT_HOSTS)[number];

/** A redirect as rules need it. */
interface Rule {
  /** The path, decoded, in every form that is redirected. */
  readonly froms: readonly string[];
  /** Percent-encoded. */
  readonly to: string;
  /** Whether the query of a request is kept: a target that has one of its own replaces it. */
  readonly keepsQuery: boolean;
  readonly status: 301 | 302;
}

/** The path of a file has a dot in its last part, as no permalink has. */
const isFilePath = (path: string): boolean => path.slice(path.lastIndexOf("/")).includes(".");

function rulesOf(redirects: readonly Redirect[]): Rule[] {
  const taken = new Set<string>();
  return redirects.flatMap(({ from, to, status }) => {
    const bare = trimEnd(from, "/");
    const froms = (isFilePath(bare) ? [bare] : bare === "" ? ["/"] : [bare, `${bare}/`]).filter(
      (each) => !taken.has(each),
    );
    for (const each of froms) taken.add(each);
    return froms.length === 0 ? [] : [{ froms, to: encodeTarget(to), keepsQuery: !/[?#]/.test(to), status }];
  });
}

/** Query and fragment remain; white space, which would end a line or a field, is encoded. */
const encodeTarget = (to: string): string => encodeURI(to).replaceAll("%25", "%");

/** Text by the name of the file in the output. @param base the path below which the site is, without a final slash */
export function redirectFiles(
  redirects: readonly Redirect[],
  hosts: readonly RedirectHost[],
  base = "",
): ReadonlyMap<string, string> {
  const own = rulesOf(redirects.map((each) => ({ ...each, to: each.to.startsWith("/") ? base + each.to : each.to })));
  const rules = own.map((rule) => ({ ...rule, froms: rule.froms.map((from) => base + from) }));
  const lists = { nginx, caddy, vercel };
  return new Map([
    ["_redirects", netlify(rules)],
    ["redirects.json", `${JSON.stringify(redirects, null, 2)}\n`],
    ...hosts.flatMap((host): [string, string][] =>
      host === "github-pages"
        ? stubs(own)
        : [[LIST_NAMES[host], host === "apache" ? apache(own, base) : lists[host](rules)]],
    ),
  ]);
}

const LIST_NAMES = {
  nginx: "redirects.nginx.conf",
  apache: ".htaccess",
  caddy: "redirects.caddy",
  vercel: "vercel.json",
} as const;

/** For Cloudflare, too. */
const netlify = (rules: readonly Rule[]): string =>
  rules.flatMap(({ froms, to, status }) => froms.map((from) => `${encodePath(from)} ${to} ${status}\n`)).join("");

/** For an `include` inside `server`. nginx compares decoded paths, and `$` begins a variable. */
const nginx = (rules: readonly Rule[]): string =>
  rules
    .flatMap(({ froms, to, keepsQuery, status }) => {
      const target = quoted(to.replaceAll("$", "%24") + (keepsQuery ? "$is_args$args" : ""));
      return froms.map((from) => `location = ${quoted(from)} { return ${status} ${target}; }\n`);
    })
    .join("");

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/**
 * Read by Apache in the folder of the site, where `AllowOverride` has `FileInfo`. Patterns are of decoded paths below that
 * folder; `%` and `$` before a digit would refer to what a pattern found.
 */
const apache = (rules: readonly Rule[], base: string): string =>
  [
    `ErrorDocument 404 ${base}/404.html\n`,
    "RewriteEngine On\n",
    ...rules.map(({ froms, to, keepsQuery, status }) => {
      const end = froms.length > 1 ? "/?" : "";
      const pattern = `^/?${escapedForPcre(froms[0]!.slice(1))}${end}$`;
      const flags = [`R=${status}`, "L", "NE", ...(keepsQuery || to.includes("?") ? [] : ["QSD"])];
      return `RewriteRule "${pattern}" "${to.replace(/[%$]/g, "\\$&")}" [${flags.join(",")}]\n`;
    }),
  ].join("");

/** Apache removes some backslashes itself, but none before an `x`. */
const escapedForPcre = (text: string): string =>
  // oxlint-disable-next-line no-control-regex
  text.replace(/[\x00-\x7f]/g, (each) =>
    /[\w/~-]/.test(each) ? each : `\\x${each.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );

/** For an `import` inside a site: one look-up, where a matcher for each address would be tried for each request. */
const caddy = (rules: readonly Rule[]): string =>
  [
    'map {query} {cms_query} {\n\t"" ""\n\tdefault "?{query}"\n}\n',
    "map {path} {cms_to} {cms_status} {\n",
    ...rules.flatMap(({ froms, to, keepsQuery, status }) =>
      froms.map((from) => `\t${caddyWord(from)} ${caddyWord(to + (keepsQuery ? "{cms_query}" : ""))} ${status}\n`),
    ),
    '\tdefault "" ""\n}\n',
    '@cms_redirect expression `{cms_to} != ""`\n',
    'handle @cms_redirect {\n\theader Location {cms_to}\n\trespond "" {cms_status}\n}\n',
  ].join("");

const caddyWord = (text: string): string => `"${text.replace(/["\\]/g, "\\$&")}"`;

/** Deployed with the files: `vercel deploy dist`. Sources are patterns. */
const vercel = (rules: readonly Rule[]): string =>
  `${JSON.stringify(
    {
      redirects: rules.flatMap(({ froms, to, status }) =>
        froms.map((from) => ({
          source: encodePath(from).replace(/[.*+?^${}()|[\]\\:!]/g, "\\$&"),
          destination: to,
          statusCode: status,
        })),
      ),
    },
    null,
    2,
  )}\n`;

/**
 * A page for each address, for hosts without rules: browsers follow it, and search engines take the canonical address. Names
 * that some file system cannot hold have none.
 */
const stubs = (rules: readonly Rule[]): [string, string][] =>
  rules.flatMap(({ froms, to }): [string, string][] => {
    const name = trimEnd(froms[0]!, "/").slice(1);
    if (name.split("/").some((part) => part.startsWith(".") || (part === "" ? name !== "" : nameError(part))))
      return [];
    const address = encodeAttribute(to);
    const file = /\.html?$/i.test(name) ? name : `${name}${name === "" ? "" : "/"}index.html`;
    return [
      [
        file,
        `<!doctype html><html><head><meta charset="utf-8"><title>Moved</title><link rel="canonical" href="${address}">` +
          `<meta http-equiv="refresh" content="0; url=${address}"></head>` +
          `<body><a href="${address}">${address}</a></body></html>\n`,
      ],
    ];
  });
