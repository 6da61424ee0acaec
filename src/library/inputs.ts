/**
 * Types of input: the values that create and change records. A key that is left out keeps its value.
 *
 * A translatable value is for the language of the call (`title`), for one named by a suffix (`title_it`), or under
 * `translations`; the suffix wins. Moments carry a zone: `2027-01-01T08:00:00Z`.
 */
import type { Instant } from "../model/time/instant.ts";
import type { JsonObject } from "../model/input/json.ts";
import type { Lang } from "../model/language/locale.ts";
import type { MenuNode } from "../model/records/menu.ts";
import type { Id, PageGlobals, PageText } from "../model/page/page.ts";
import type { MediaText } from "../model/media/media.ts";
import type { Variant } from "../model/media/renditions.ts";
import type { DeclaredBlockType } from "../model/records/block-type.ts";
import type { MetaType } from "../model/records/meta.ts";
import type { FieldDefinition } from "../model/records/schema.ts";

/** The values of `T` for one language, with a suffix for others, or by language. */
type Translated<T> = T & {
  readonly [K in keyof T & string as `${K}_${string}`]?: T[K];
} & { readonly translations?: { readonly [lang: Lang]: T } };

/** Values as they are sent: moments as texts. */
type Sent<T> = { readonly [K in keyof T]?: T[K] extends Instant | null ? string | null : T[K] };

/**
 * The values of a page in one language: the translated rows of `PAGE_FIELDS`.
 *
 * A `permalink` needs `autopermalink: false`; otherwise it follows from the titles. `published_at: null` hides the
 * language. `template_data` is any JSON, unless the page model declares a schema.
 */
export type PageTextInput = Sent<Omit<PageText, "content">>;

/**
 * The values of a page that are the same in every language. References are ids; the `identifier` is unique within the
 * page model; a `template` is a path below `templates/`, null for the default one; `robots` has directives for search
 * engines, such as "noindex, nofollow".
 */
type PageGlobalsInput = Sent<Omit<PageGlobals, "author" | "highlight_image" | "tags">>;

export type PageInput = Translated<PageTextInput> & PageGlobalsInput;

export type ArticleInput = Translated<PageTextInput & { readonly content?: string }> &
  PageGlobalsInput & {
    /** Id of an account. */
    readonly author?: Id | null;
    readonly highlight_image?: Id | null;
    readonly tags?: readonly Id[];
  };

export type TagInput = Translated<{ /** Unique in its language. */ readonly name?: string | null }>;

export type { MenuNode as MenuNodeInput };

export type MenuInput = Translated<{ readonly nodes?: readonly MenuNode[] }> & {
  /** Unique; a UUID by default. */
  readonly key?: string;
  readonly enabled?: boolean;
};

export type ContentInput = Translated<{ readonly content?: string }> & {
  /** Required to create a block; unique on its page. */
  readonly identifier?: string;
  /** Id of the page; null for a block of the whole site. */
  readonly object_id?: Id | null;
  readonly content_type?: Id | null;
};

export type MediaInput = Translated<Partial<MediaText>> & {
  /** Id of a folder; null for the top level. */
  readonly folder?: Id | null;
  /** Renditions of this item alone; null for those of the settings. */
  readonly renditions_config?: readonly Variant[] | null;
};

/** A file to upload. */
export interface UploadFile {
  /** File name; its extension is corrected where the bytes are of another type. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface FolderInput {
  /** Required to create a folder. */
  readonly title?: string;
  /** Id of the folder above; null for the top level. */
  readonly updir?: Id | null;
}

/** A field of a type, with the keys that it needs. */
export type FieldInput = Pick<FieldDefinition, "name"> &
  Partial<Omit<FieldDefinition, "name" | "children" | "choices">> & {
    readonly children?: readonly FieldInput[];
    readonly choices?: readonly { readonly value: string; readonly label?: string }[];
  };

interface Fields {
  readonly schema?: readonly FieldInput[];
}

/** The `key`, which is unique, and the `name` are required to create a type. */
export type MetaTypeInput = Fields & Partial<Pick<MetaType, "key" | "name" | "description">>;

/** The `name` is required to create a type, and never changed: blocks have it as `type`. */
export type BlockTypeInput = Fields & Partial<Omit<DeclaredBlockType, "id" | "schema">>;

export interface MetaInstanceInput {
  /** Id of the type; required to create an instance. */
  readonly meta_type?: Id;
  readonly identifier?: string;
  /** Replaces the stored data. */
  readonly data?: JsonObject;
}
