/** The settings: a table that gives each its type, its default and one line of help, and their shape, which follows. */
import { addressWords } from "./list-words.ts";
import {
  apiRoot,
  basePath,
  flag,
  frontMatter,
  headerValue,
  host,
  injectContext,
  languageId,
  lineOfText,
  languages,
  listOf,
  mediaAddress,
  network,
  optional,
  origin,
  previewSite,
  refNameSetting,
  relativePath,
  relativePathOrNone,
  ruleLevels,
  siteAddress,
  timeZone,
  unknownFields,
  urlFolder,
  variants,
  wholeNumberSetting,
  type SettingType,
  type Language,
  type Variant,
} from "./setting-types.ts";
import { oidcProviders } from "./sign-in-settings.ts";
import { hooks } from "./hook-settings.ts";
import { rolesByName } from "./push-settings.ts";
import { reviewRules } from "./review-settings.ts";
import { secretSource } from "./secrets.ts";

export interface Setting<T = unknown> {
  /** Keys from the root, joined by dots. */
  readonly path: string;
  readonly type: SettingType<T>;
  readonly fallback: T;
  readonly help: string;
  /** Whether templates can read it. */
  readonly public: boolean;
}

interface Row<P extends string, T> extends Setting<T> {
  readonly path: P;
}

const row =
  (isPublic: boolean) =>
  <P extends string, T>(path: P, type: SettingType<T>, fallback: NoInfer<T>, help: string): Row<P, T> => ({
    path,
    type,
    fallback,
    help,
    public: isPublic,
  });
const open = row(true);
const inner = row(false);

const quality = wholeNumberSetting(1, 100);
const pixels = wholeNumberSetting(1, 16383, "pixels"); // the widest a WebP image can be
const bytes = wholeNumberSetting(1024, 2 ** 31 - 1, "bytes");

const LANGUAGES: readonly Language[] = [
  { id: "en", name: "English" },
  { id: "it", name: "Italiano" },
];

const SIZES = { sm: 400, md: 800, lg: 1600 };
const VARIANTS: readonly Variant[] = (["webp", "avif", "original"] as const).flatMap((format) =>
  Object.entries(SIZES).map(([size, width]) => ({ name: `${size}-${format}`, width, format })),
);

/** Allows everything from the site itself, images and media from any HTTPS origin, and no inline scripts. */
const CONTENT_SECURITY_POLICY =
  "default-src 'self'; img-src 'self' data: https:; media-src 'self' https:; style-src 'self' 'unsafe-inline'; " +
  "object-src 'none'; base-uri 'self'; form-action 'self'";

const ROWS = [
  open("LANGUAGE_CODE", languageId, "en", "The default language, one of LANGUAGES; its URLs have no prefix."),
  open("LANGUAGES", languages, LANGUAGES, "The languages, code to name, in the order they are shown in."),
  open(
    "TIME_ZONE",
    optional(timeZone),
    null,
    "The time zone of dates and times without one in content files, such as Europe/Rome; null: a zone is required.",
  ),
  open(
    "SITE_NAME",
    optional(lineOfText),
    null,
    "The name of the site in the editor and in feeds; null: the title of its home page.",
  ),
  open(
    "BASE_URL",
    optional(siteAddress),
    null,
    "Scheme and host of absolute URLs, and the path below which the site is, if any; null: those of the request.",
  ),
  open("BASE_PATH", basePath, "", "The path below which the site is, such as /site; by default that of BASE_URL."),
  open("APPEND_SLASH", flag, true, "Whether page URLs end with a slash."),
  open(
    "PAGINATION.WORDS",
    addressWords,
    {},
    "By language the word for page in addresses of lists (/journal/page/2/), or words for page, tag and author: { it: { page: pagina, tag: tema } }.",
  ),
  inner("REVISIONS", flag, true, "Whether the API lists and reverts revisions."),
  inner(
    "ROUTER_CACHE",
    wholeNumberSetting(0, 31_536_000, "seconds"),
    900,
    "How long router answers are cached, in seconds; 0: not at all.",
  ),
  inner("TRUSTED_PROXIES", listOf(network), [], "Proxies whose X-Forwarded-* headers count: addresses or networks."),
  inner(
    "METRICS_CLIENTS",
    listOf(network),
    ["127.0.0.0/8", "::1"],
    "Who may read /metrics without an account of the staff: addresses or networks.",
  ),
  inner(
    "ALLOWED_HOSTS",
    listOf(host),
    [],
    "Host names the server answers to; a leading dot covers subdomains; empty: any.",
  ),
  inner("TRUSTED_ORIGINS", listOf(origin), [], "Other origins that may write with a session cookie, and for CORS."),
  inner(
    "CONTENT_SECURITY_POLICY",
    optional(headerValue),
    CONTENT_SECURITY_POLICY,
    "The Content-Security-Policy header of HTML pages; null: none.",
  ),
  inner("SYNC.REMOTE", optional(refNameSetting), null, "The remote of syncs; null: the one the branch follows."),
  inner("SYNC.BRANCH", optional(refNameSetting), null, "The remote's branch; null: the one the branch follows."),
  inner("SYNC.EVERY", wholeNumberSetting(1, 86_400, "seconds"), 30, "Seconds between two syncs."),
  inner("SYNC.PUSH", flag, true, "Whether commits are pushed."),
  inner("SYNC.PUSH_BRANCH", optional(refNameSetting), null, "The branch that is pushed to, if it is not SYNC.BRANCH."),
  inner(
    "SYNC.SECRET",
    optional(secretSource),
    null,
    "Where the secret is with which a forge signs webhooks that start a sync: env:NAME or file:PATH; null: none are accepted.",
  ),
  inner(
    "CONTENT.FRONT_MATTER",
    optional(frontMatter),
    null,
    "Front matter of Markdown files: hugo, eleventy, astro, or a mapping of its keys to fields; null: as in YAML files.",
  ),
  inner(
    "CHECK.RULES",
    ruleLevels,
    {},
    "By rule of `cms check` (`cms check --rules` lists them): off, warning or error.",
  ),
  inner(
    "AUTH.OIDC",
    oidcProviders,
    [],
    "Providers of OpenID Connect that accounts sign in by: NAME, LABEL, ISSUER, CLIENT_ID, CLIENT_SECRET, SCOPES, GROUPS and ROLES of each.",
  ),
  inner("AUTH.ONLY_OIDC", flag, false, "Whether accounts sign in by AUTH.OIDC alone, without passwords."),
  inner("AUDIT.KEEP", wholeNumberSetting(1, 3650, "days"), 365, "How long events of the audit log are kept, in days."),
  inner(
    "REVIEW.REQUIRED",
    reviewRules,
    [],
    "What goes live only once others than its authors have approved it: a list of MODELS, BELOW, LANGUAGES and the number of APPROVALS.",
  ),
  inner(
    "PUSH.ROLES",
    rolesByName,
    {},
    "The roles of those who push, by user name or e-mail address, for `cms check --push` on a machine without the accounts; `superuser` may do everything.",
  ),
  inner("HOOKS", hooks, [], "Listeners that are told of changes: URL, SECRET, EVENTS and PRIVATE of each."),
  inner("FEED.ITEMS", wholeNumberSetting(0, 1000), 20, "Articles in the Atom feed of each language; 0: no feeds."),
  open(
    "SITE_SEARCH",
    flag,
    false,
    "Whether the site has files below search/ by which browsers search its public pages.",
  ),
  inner("RENDER.PAGE.DEFAULT_TEMPLATE", relativePath, "defaults/pages/default.html", "Template of pages without one."),
  inner(
    "RENDER.PAGE.INJECT_CONTEXT",
    optional(injectContext),
    null,
    "Function, or path of a module, that adds to the context of every page.",
  ),
  inner("RENDER.AUTO_CREATE_HOMEPAGE", flag, false, "Whether the first visit to / creates a home page."),
  inner(
    "RENDER.HEADLESS",
    optional(flag),
    null,
    "Whether another program renders the pages, so that they may name templates that are not below templates/; by default while there is none.",
  ),
  inner(
    "PREVIEW.SITES",
    listOf(previewSite),
    [],
    "Front ends that the editor shows as previews: URL, such as https://www.example.org, and PATH, which precedes the paths of pages there.",
  ),
  inner("ADMIN.ENABLE", flag, true, "Whether the server has the editor for browsers."),
  inner("ADMIN.PATH", urlFolder, "/admin/", "The path of the editor; a page at or below it is not shown."),
  inner("API.ALIASES", listOf(apiRoot), [], "Further roots under which the whole API answers."),
  inner("API.NESTING_DEPTH", wholeNumberSetting(1, 64), 10, "How deep related records are nested in payloads."),
  inner("API.MAX_BODY", bytes, 10_485_760, "Largest request body in bytes, except uploads."),
  inner("API.MAX_UPLOAD", bytes, 104_857_600, "Largest upload in bytes."),
  inner(
    "API.MAX_VALUE",
    bytes,
    1_048_576,
    "Largest value of a field in a request body: bytes of JSON, or of a form's text.",
  ),
  inner(
    "API.MAX_KEYS",
    wholeNumberSetting(100, 1_000_000),
    20_000,
    "Maximum of keys and list items in the value of a field in a request body.",
  ),
  inner(
    "API.UNKNOWN_FIELDS",
    unknownFields,
    "refuse",
    "Unknown keys of a request body: refuse or ignore; below API.ALIASES they are ignored.",
  ),
  open(
    "MEDIA.URL",
    mediaAddress,
    "/media/",
    "The path below which media files are served; or an address with this path, such as that of a CDN, in payloads.",
  ),
  inner("MEDIA.OPTIMIZE.ENABLE", flag, true, "Whether uploaded images are shrunk and encoded again."),
  inner("MEDIA.OPTIMIZE.MAX_WIDTH", pixels, 1980, "Maximum width of an optimised image, in pixels."),
  inner("MEDIA.OPTIMIZE.MAX_HEIGHT", pixels, 1400, "Maximum height of an optimised image, in pixels."),
  inner("MEDIA.OPTIMIZE.DPI", wholeNumberSetting(1, 9600), 30, "The resolution written into optimised images."),
  inner("MEDIA.OPTIMIZE.JPEG_QUALITY", quality, 85, "JPEG quality of optimised images."),
  inner(
    "MEDIA.THUMBNAIL.FOLDER",
    relativePathOrNone,
    "",
    "Folder of thumbnails below media/; empty: next to the original.",
  ),
  inner("MEDIA.THUMBNAIL.WIDTH", pixels, 50, "Maximum width of a thumbnail, in pixels."),
  inner("MEDIA.THUMBNAIL.HEIGHT", pixels, 50, "Maximum height of a thumbnail, in pixels."),
  inner("MEDIA.RENDITIONS.ENABLE", flag, true, "Whether images get renditions."),
  inner("MEDIA.RENDITIONS.FOLDER", relativePath, "renditions", "Folder of renditions below media/."),
  inner(
    "MEDIA.RENDITIONS.VARIANTS",
    variants,
    VARIANTS,
    "The renditions of an image, each with name, width and format.",
  ),
  inner("MEDIA.RENDITIONS.JPEG_QUALITY", quality, 85, "JPEG quality of renditions."),
  inner("MEDIA.RENDITIONS.WEBP_QUALITY", quality, 82, "WebP quality of renditions."),
  inner("MEDIA.RENDITIONS.AVIF_QUALITY", quality, 60, "AVIF quality of renditions."),
  inner(
    "MEDIA.RENDITIONS.AVIF_EFFORT",
    wholeNumberSetting(0, 9),
    3,
    "Effort of AVIF encoding: 0 is fastest, 9 gives the smallest files.",
  ),
  inner("MEDIA.RENDITIONS.PREVENT_INFLATE", flag, true, "Whether a rendition larger than its source is dropped."),
  inner("MEDIA.RENDITIONS.COMMIT", flag, true, "Whether renditions and thumbnails are committed with the original."),
];

export const SETTINGS: readonly Setting[] = ROWS;

/** The settings of some rows as a tree: a row whose path has one key is a value, others are below their first key. */
type Nested<R extends Row<string, unknown>> = {
  readonly [K in FirstKey<R["path"]>]: K extends R["path"] ? Extract<R, { path: K }>["fallback"] : Nested<Below<R, K>>;
};
type FirstKey<P extends string> = P extends `${infer Key}.${string}` ? Key : P;
type Below<R, K extends string> = R extends Row<`${K}.${infer Rest}`, infer T> ? Row<Rest, T> : never;

/** Names and nesting are those of the settings file. */
export type Settings = Nested<(typeof ROWS)[number]>;
