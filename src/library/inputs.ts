/**
 * Types of input: the values that create and change records. A key that is left out keeps its value.
 *
 * A translatable value is for the language of the call (`title`), for one named by a suffix (`title_it`), or under
 * `translations`; the suffix wins (decisions.md 2). Moments carry a zone: `2027-01-01T08:00:00Z`.
 */
import type { Json, JsonObject } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import type { Link } from "../model/link.ts";
import type { Id } from "../model/page.ts";
import type { Variant } from "../model/renditions.ts";
import type { FieldDefinition } from "../model/schema.ts";

/** The values of `T` for one language, with a suffix for others, or by language. */
type Translated<T> = T & {
  readonly [K in keyof T & string as `${K}_${string}`]?: T[K];
} & { readonly translations?: { readonly [lang: Lang]: T } };

/** The values of a page in one language. */
export interface PageTextInput {
  /** At most 200 characters. */
  readonly title?: string | null;
  /** At most 400 characters; with `autopermalink: false`. Otherwise it follows from the titles. */
  readonly permalink?: string | null;
  readonly autopermalink?: boolean;
  /** null hides the language. */
  readonly published_at?: string | null;
  readonly indexable?: boolean;
  readonly description?: string | null;
  readonly keywords?: string | null;
  readonly breadcrumbs_title?: string | null;
  readonly canonical?: string | null;
  readonly og_title?: string | null;
  readonly og_description?: string | null;
  readonly og_type?: string | null;
  readonly og_url?: string | null;
  /** Any JSON, unless the page model declares a schema. */
  readonly template_data?: Json;
}

/** The values of a page that are the same in every language. */
interface PageGlobalsInput {
  /** Unique within the page model. */
  readonly identifier?: string | null;
  readonly parent_page?: Id | null;
  /** Path below `templates/`; null for the default template. */
  readonly template?: string | null;
  readonly ordering?: number;
  /** Directives for search engines, such as "noindex, nofollow". */
  readonly robots?: string;
  readonly og_image?: Id | null;
  readonly meta?: JsonObject;
}

export type PageInput = Translated<PageTextInput> & PageGlobalsInput;

export type ArticleInput = Translated<PageTextInput & { readonly content?: string }> &
  PageGlobalsInput & {
    /** Id of an account. */
    readonly author?: Id | null;
    readonly highlight_image?: Id | null;
    readonly tags?: readonly Id[];
  };

export type TagInput = Translated<{ /** Unique in its language. */ readonly name?: string | null }>;

export interface MenuNodeInput {
  readonly id?: Json;
  readonly title?: string | null;
  readonly link: Link;
  readonly meta?: JsonObject;
  readonly nodes?: readonly MenuNodeInput[];
}

export type MenuInput = Translated<{ readonly nodes?: readonly MenuNodeInput[] }> & {
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

export type MediaInput = Translated<{
  readonly title?: string | null;
  readonly alt_text?: string | null;
  readonly description?: string | null;
}> & {
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

export interface MetaTypeInput {
  /** Required to create a type; unique. */
  readonly key?: string;
  readonly name?: string;
  readonly description?: string;
  readonly schema?: readonly (Pick<FieldDefinition, "name"> & Partial<FieldDefinition>)[];
}

export interface MetaInstanceInput {
  /** Id of the type; required to create an instance. */
  readonly meta_type?: Id;
  readonly identifier?: string;
  /** Replaces the stored data. */
  readonly data?: JsonObject;
}
