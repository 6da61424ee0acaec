/**
 * Types of payloads: what the library returns and the HTTP API serves as JSON.
 *
 * Moments are texts in UTC, `2027-01-01T08:00:00.000Z`. Lengths are in pixels, sizes in bytes. URLs of pages are
 * root-relative and percent-encoded; URLs of media begin with `origin` where one was given.
 */
import type { Account } from "../model/account/account.ts";
import type { Permission } from "../model/account/permission.ts";
import type { Instant } from "../model/time/instant.ts";
import type { JsonObject } from "../model/input/json.ts";
import type { ImageProps, Media, MediaFolder, MediaText, Rendition } from "../model/media/media.ts";
import type { Status } from "../model/page/lifecycle.ts";
import type { Lang } from "../model/language/locale.ts";
import type { DeclaredBlockType } from "../model/records/block-type.ts";
import type { Content } from "../model/records/content.ts";
import type { Menu, MenuNode } from "../model/records/menu.ts";
import type { MetaInstance, MetaType } from "../model/records/meta.ts";
import type { Byline, Id, PageGlobals, PageText } from "../model/page/page.ts";
import type { FieldDefinition, JsonSchema } from "../model/records/schema.ts";
import type { Paginator } from "../model/lists/query.ts";

export type { FieldDefinition, JsonSchema, Paginator };

export type { Status as PageStatus };

/** Values as they are served: moments as texts. */
type Served<T> = { readonly [K in keyof T]: T[K] extends Instant | null ? string | null : T[K] };

/** The values of one language, without fallback: the translated rows of `PAGE_FIELDS`. */
export type PageTextPayload = Served<Omit<PageText, "content" | "template_data">> & { readonly template_data: unknown };

/** The values that are the same in every language, except for those that are not served as they are stored. */
type PageGlobalsPayload = Served<
  Omit<PageGlobals, "paginate" | "parent_page" | "template" | "og_image" | "highlight_image" | "author" | "tags">
>;

/**
 * A page in one language, its texts with fallback to the default language. Beside these keys, the texts of each
 * language have suffixed keys, such as `title_it`.
 */
export type PagePayload = PageTextPayload &
  PageGlobalsPayload & {
    readonly id: Id;
    /** Path of the template below `templates/`, the default one included; also as `template_file`. */
    readonly template: string;
    readonly template_file: string;
    readonly og_image: NestedMediaPayload | null;
    readonly deleted_at: string | null;
    readonly date_created: string;
    readonly date_updated_at: string;
    /** The last segment of the permalink. */
    readonly slug: string | null;
    /** URL of the page; null without a permalink. */
    readonly routerlink: string | null;
    /** URL in each other language; null where the page is not public. */
    readonly alternates: { readonly [lang: Lang]: string | null };
    /** From the root to the page itself. */
    readonly breadcrumbs: readonly { readonly permalink: string | null; readonly title: string | null }[];
    readonly status: Status;
    readonly is_public: boolean;
    readonly pubblication_date: string | null;
    readonly language: Lang;
    readonly related_name: string;
    readonly content_type: Id;
    /** Content blocks of the page, by identifier. */
    readonly contents: { readonly [identifier: string]: { readonly id: Id; readonly content: string } };
    readonly url_node: { readonly [key: string]: unknown } | null;
    /** The parent as a payload; its bare id at the depth of the setting `API.NESTING_DEPTH`. */
    readonly parent_page: { readonly [key: string]: unknown } | Id | null;
    /** What the page lists; absent for a page that lists nothing by itself. */
    readonly paginate?: JsonObject;
    /** Present where a page with a list was asked for by its address. */
    readonly pagination?: PaginationPayload;
    /** Absent on a public read, unless languages are requested. */
    readonly translations?: { readonly [lang: Lang]: PageTextPayload };
    /** This and the three below are absent on a public read. */
    readonly has_draft?: boolean;
    readonly has_scheduled_draft?: boolean;
    readonly draft_scheduled_for?: string | null;
    readonly draft_data?: JsonObject;
  };

export interface PaginationPayload {
  readonly items: readonly { readonly [key: string]: unknown }[];
  /** From 1. */
  readonly number: number;
  /** The number of pages. */
  readonly count: number;
  /** The number of items. */
  readonly total: number;
  readonly size: number;
  readonly previous: string | null;
  readonly next: string | null;
  readonly pages: readonly { readonly number: number; readonly url: string | null }[];
  /** The group whose page it is; null for a page of the whole list. */
  readonly group: ListGroupPayload | null;
  /** On the pages of the whole list: what it is divided into. */
  readonly groups: readonly ListGroupPayload[];
}

/** A tag, an author or a year of a list. */
export interface ListGroupPayload {
  /** The id of the tag or of the author's account, or the year. */
  readonly key: number;
  readonly title: string;
  /** The address of its first page. */
  readonly address: string | null;
  /** The number of its items. */
  readonly count: number;
}

export type ArticlePayload = PagePayload & {
  readonly author: Byline | null;
  readonly highlight_image: NestedMediaPayload | null;
  readonly tags: readonly { readonly id: Id; readonly name: string }[];
  /** Markdown or HTML, depending on the template. */
  readonly content: string;
};

export type RevisionPayload = {
  /** Commit id; also as `revision_id`. */
  readonly id: string;
  readonly revision_id: string;
  readonly date_created: string;
  /** The body of the commit message, or its subject. */
  readonly comment: string;
  /** User name of the account with the author's address; null when there is none. */
  readonly user: string | null;
  readonly author: string;
};

export type TagPayload = {
  readonly id: Id;
  readonly name: string;
  readonly translations: { readonly [lang: Lang]: { readonly name: string | null } };
};

export type MenuPayload = Pick<Menu, "id" | "key" | "enabled"> & {
  readonly available_classes: JsonObject;
  /** Absent in lists. */
  readonly nodes?: readonly MenuNode[];
  readonly translations: { readonly [lang: Lang]: { readonly nodes: readonly MenuNode[] } };
};

export type ContentPayload = Pick<Content, "id" | "identifier"> & {
  readonly content: string;
  /** Id of the page; null for a block of the whole site. */
  readonly object_id: Id | null;
  readonly content_type: { readonly [key: string]: unknown } | null;
  readonly translations: { readonly [lang: Lang]: { readonly content: string } };
};

/** @property url of its file */
export type RenditionPayload = Omit<Rendition, "name" | "file"> & { readonly url: string };

/** A media item inside another payload. */
export type NestedMediaPayload = Served<MediaText> & {
  readonly id: Id;
  /** URL of the original. */
  readonly file: string;
  readonly thumbnail: string | null;
  readonly created: string;
  readonly size: number;
  readonly mime_type: string;
  /** Empty for files that are not images. */
  readonly image_props: Partial<ImageProps>;
  readonly renditions: { readonly [name: string]: RenditionPayload };
  readonly renditions_config: Media["renditions_config"];
  /** Id of the folder; null at the top level. */
  readonly folder: Id | null;
  /** When it was moved to the trash; absent otherwise. */
  readonly deleted_at?: string;
};

export type MediaPayload = NestedMediaPayload & {
  /** Records that refer to the item. */
  readonly links: unknown;
  readonly is_image: boolean;
  /** `srcset` of the renditions, by format. */
  readonly srcset: unknown;
  readonly translations: Media["translations"];
};

export type FolderPayload = Served<Omit<MediaFolder, "dir">> & {
  readonly slug: string;
  /** Slugs of the folder and those above it: `/press/2026`. */
  readonly path: string;
  readonly updir: Id | null;
};

export type MetaTypePayload = Served<MetaType> & { readonly compiled_at: string };

/** @property preview_url the address of `preview`; "" for none */
export type BlockTypePayload = Omit<DeclaredBlockType, "id"> & { readonly preview_url: string };

export type MetaInstancePayload = Served<Omit<MetaInstance, "folder" | "data">> & {
  /** Values by field, references as the records they name. */
  readonly data: { readonly [field: string]: unknown };
};

export type UserPayload = Served<
  Pick<
    Account,
    | ("id" | "username" | "first_name" | "last_name" | "email" | "roles" | "has_token")
    | ("is_superuser" | "is_staff" | "is_active" | "date_joined" | "last_login")
  >
> & { readonly user_permissions: readonly Pick<Permission, "id" | "name" | "codename">[] };
