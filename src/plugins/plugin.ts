/**
 * What a plugin can add to a site. A plugin is code of the site, trusted like its templates; the setting `plugins` of
 * `cms.config.*` lists them.
 *
 * When a plugin throws, the log names it; each part says what else happens. Parts that only read or listen cannot make
 * a write or an answer fail.
 */
import type { Log } from "../env.ts";
import type { FieldErrors } from "../errors.ts";
import type { Json, JsonObject } from "../model/input/json.ts";
import type { Lang } from "../model/language/locale.ts";
import type { Id, Page } from "../model/page/page.ts";
import type { FieldDefinition, JsonSchema } from "../model/fields/definition.ts";

/** @typeParam Library the operations on the site, as `openCms` returns them */
export interface SitePlugin<Library> {
  /** Unique in the site: small letters, digits and `-`, at most 40. Part of the paths of its routes. */
  readonly name: string;
  /** By name, as `kind` of a field definition: small letters, digits and `_`, and no kind that exists. */
  readonly fieldKinds?: { readonly [name: string]: PluginFieldKind };
  /** Template filters. One that throws prints nothing. */
  readonly filters?: { readonly [name: string]: (value: unknown, ...args: readonly never[]) => unknown };
  /** Template globals: functions, or values. A function that throws prints nothing. */
  readonly globals?: { readonly [name: string]: unknown };
  /**
   * Keys added to the payload of every page, by name: small letters, digits and `_`, and no field that exists. They are
   * computed from the page in one language, without clock or I/O. One that throws is null.
   */
  readonly computed?: { readonly [name: string]: (page: Page, lang: Lang) => Json };
  /** Hooks on saving the pages of a page model, by its name: `page`, `article`, a custom one, or `*` for all. */
  readonly pages?: { readonly [model: string]: PageHooks };
  /** Routes below `/api/cms/plugins/<name>/`. */
  readonly routes?: readonly PluginRoute<Library>[];
  /**
   * Called after each durable commit of this process, in order, one at a time. A failure is logged. At most 1,000
   * commits wait; further ones are skipped, and logged.
   */
  afterCommit?(commit: PluginCommit, site: PluginSite<Library>): void | Promise<void>;
}

/** `any`: `Library` is the type of a parameter, so plugins for different libraries have no other common type. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyPlugin = SitePlugin<any>;

export interface PluginFieldKind {
  /** JSON Schema (2020-12) of one stored value. */
  readonly schema: JsonSchema;
  /** The message for a value that the schema rejects. */
  readonly message: string;
  /**
   * Converts accepted input to the stored form; other input is returned unchanged, for the schema to reject. Applied to
   * stored values too, so its own results must come back unchanged. One that throws leaves the value unchanged.
   */
  normalize?(value: Json, definition: FieldDefinition): Json;
}

/**
 * Hooks run inside the transaction of a write, possibly more than once, so they must be synchronous and without side
 * effects. They run on every write that changes a page, and when a draft is saved. One that throws refuses the write
 * with 500 `broken`.
 */
export interface PageHooks {
  /**
   * Normalises a page before it is validated.
   *
   * @param before undefined for a new page
   * @returns values to change, as in a PATCH: translated ones with suffix (`title_it`), and `meta`; undefined for none
   */
  beforeSave?(page: Page, before: Page | undefined): JsonObject | undefined;
  /** @returns messages by field, which refuse the write with 400 `invalid`; `{}` or undefined for a valid page */
  validate?(page: Page, before: Page | undefined): FieldErrors | undefined;
}

/** `staff` includes superusers; a permission is one of those in `/api/cms/permissions/`, such as `cms.change_page`. */
export type PluginAccess = "public" | "user" | "staff" | "superuser" | { readonly permission: string };

export interface PluginRoute<Library> {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the plugin's own path, without slashes at its ends: `hours/:id`. */
  readonly path: string;
  readonly access: PluginAccess;
  /**
   * @returns a `Response`, or a value that is sent as JSON; undefined for 204. A `CmsError` is answered as in the API;
   *   anything else that is thrown as 500, naming the plugin
   */
  handle(request: PluginRequest, site: PluginSite<Library>): unknown;
}

export interface PluginRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  /** Decoded path parameters by name. */
  readonly params: Readonly<Record<string, string>>;
  /** The active language: of `?language=`, a cookie, or `Accept-Language`. */
  readonly lang: Lang;
  /** The account; undefined on a public route without credentials. */
  readonly user: { readonly id: Id; readonly username: string; readonly is_staff: boolean } | undefined;
  /** The account as the author of a commit. @throws CmsError `unauthenticated` without one */
  author(): { readonly name: string; readonly email: string };
  /** The body as JSON or a form; {} when it is empty. @throws CmsError `invalid`, `too_large` */
  body(): Promise<unknown>;
}

export interface PluginCommit {
  /** Commit id. */
  readonly id: string;
  readonly author: { readonly name: string; readonly email: string };
  /** In UTC. */
  readonly at: string;
  /** Subject, blank line, body, trailers such as `Cms-Action: publish`. */
  readonly message: string;
  /** Paths that were written or removed. */
  readonly paths: readonly string[];
}

export interface PluginSite<Library> {
  readonly cms: Library;
  readonly log: Log;
}
