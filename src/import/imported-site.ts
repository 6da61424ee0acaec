/**
 * What an importer produces: a site as plain data, whatever program it comes from.
 *
 * An importer (`markdown/`, and one folder for each other source) reads its source and returns an `ImportedSite`. It
 * writes nothing and knows nothing of the content that is here. `import-site.ts` does the rest: it compares with what
 * was imported before (`plan.ts`, `ledger.ts`), makes derivatives of images, and writes one commit.
 *
 * Records refer to each other by their source ids; texts contain `sourceLink`s, which become addresses of this site
 * when the text is written, since only then it is known where everything is. Data contains `sourceReference`s in place of
 * the ids of records.
 */
import type { Offsets } from "../model/front-matter/foreign-moment.ts";
import type { Instant } from "../model/time/instant.ts";
import type { Account } from "../model/account/account.ts";
import type { Json, JsonObject } from "../model/input/json.ts";
import type { Lang } from "../model/language/locale.ts";
import type { Byline, PageText } from "../model/page/page.ts";
import type { Variant } from "../model/media/renditions.ts";

/**
 * Identifies a record in its source, the same in every run: `markdown:posts/a.md`, `wordpress:post:12`. Begins with the
 * name of the importer and a colon. No two records of a site have the same, of whatever kind they are.
 */
export type SourceId = string;

/** Where something stands in the source, for messages. */
export interface SourcePlace {
  /** Path below the imported folder, or name of the imported file. */
  readonly file: string;
  /** 1-based, where known. */
  readonly line?: number;
}

/** Something that could not be carried, or not as it was. */
export interface Remark extends SourcePlace {
  /** A sentence: what it is, and where it was kept, if anywhere. */
  readonly message: string;
}

/** Everything is optional but the entries; an importer leaves out what its source does not have. */
export interface ImportedSite {
  /** Pages and articles, parents anywhere in the list. Their order is that of new pages with no `ordering`. */
  readonly entries: readonly ImportedEntry[];
  readonly tags?: readonly ImportedTag[];
  readonly media?: readonly ImportedMedia[];
  /** Folders of the library with titles of their own; those that files are in need not be listed. */
  readonly folders?: readonly ImportedFolder[];
  readonly menus?: readonly ImportedMenu[];
  readonly contents?: readonly ImportedContent[];
  readonly metaTypes?: readonly ImportedMetaType[];
  readonly metaInstances?: readonly ImportedMetaInstance[];
  /** Private state, never part of a commit: see `accounts.ts`. */
  readonly accounts?: readonly ImportedAccount[];
  /** Those of the old site that belong to no entry: `ImportedText.addresses` has those that do. */
  readonly redirects?: readonly ImportedRedirect[];
  readonly remarks: readonly Remark[];
}

export interface ImportedEntry {
  readonly source: SourceId;
  readonly place: SourcePlace;
  /** The page model: `page`, `article`, or a custom one that the site has. */
  readonly model: string;
  /** The page above; of an article, an article. Unknown ones are left out, with a remark. */
  readonly parent?: SourceId | undefined;
  /** Absent: the first publication, else the moment of the import. */
  readonly created?: Instant | undefined;
  readonly updated?: Instant | undefined;
  /** The offsets of its moments and of those of its texts. A moment without one is written in UTC. */
  readonly offsets?: Offsets | undefined;
  readonly ordering?: number | undefined;
  /** Absent: a UUID. Given up with a remark where another page has it. */
  readonly identifier?: string | undefined;
  readonly template?: string | undefined;
  /** Tags of an article. */
  readonly tags?: readonly SourceId[] | undefined;
  /** Name and username of an article's author; `id` is that of an account here, or any number where there is none. */
  readonly author?: Byline | undefined;
  /** The account of the author, among `accounts`: its id here becomes that of `author`. */
  readonly authorAccount?: SourceId | undefined;
  readonly ogImage?: SourceId | undefined;
  readonly highlightImage?: SourceId | undefined;
  readonly meta?: JsonObject | undefined;
  readonly robots?: string | undefined;
  /** Whether it is in the trash of its source. */
  readonly isTrashed?: boolean | undefined;
  /** Since when it is in the trash, where that is known. */
  readonly trashed?: Instant | undefined;
  /** Staged changes by language. */
  readonly drafts?: { readonly [lang: Lang]: ImportedDraft } | undefined;
  /** By language, as the site's settings spell it; texts in other languages are left out, with a remark. */
  readonly texts: { readonly [lang: Lang]: ImportedText };
}

/** Fields of `PageText` that are carried as they are. */
type PlainText = Omit<PageText, "permalink" | "autopermalink" | "published_at" | "content" | "template_data">;

export interface ImportedText {
  /** Values that are too long are cut, and kept whole in `template_data`, with a remark. May contain `sourceLink`s. */
  readonly fields: Partial<PlainText>;
  /**
   * The wanted path without language prefix: `/posts/hello`. It is made a valid permalink (lower case, no dots); where
   * that is another path, the wanted one redirects. Absent: made from the title and the parent.
   */
  readonly permalink?: string | undefined;
  /** Whether the permalink follows title and parent in its source. It does so here, too, where that gives the same path. */
  readonly isAutomatic?: boolean | undefined;
  /**
   * Absent: it is a draft. In the future: it is scheduled. A draft's own date goes into `created`. "undated": it is public,
   * and the source does not say since when: since the import, or since the moment that the page has here.
   */
  readonly published?: Instant | "undated" | undefined;
  /** Markdown or HTML: `content` of an article, `template_data.body` of a page. May contain `sourceLink`s. */
  readonly body?: string | undefined;
  /** The same text of a page in parts, where it has blocks. Without it, the text is one part. */
  readonly sections?: readonly ImportedSection[] | undefined;
  /** Goes into `template_data`, where what has no field of its own is kept. May contain `sourceLink`s in its texts. */
  readonly data?: JsonObject | undefined;
  /** Paths at which it was served: each leads here afterwards. One without a language prefix is in this language. */
  readonly addresses?: readonly string[] | undefined;
  /** The same of a site whose default language may be another one: a path without a language prefix is as it is. */
  readonly served?: readonly string[] | undefined;
}

/** A part of a text: a block of the source, or what stands between two of them. `records/sections.ts` says what becomes of it. */
export interface ImportedSection {
  /** The block type that it becomes where the site has one of this name; absent: it is text. */
  readonly type?: string | undefined;
  /** What messages call it: "The block gallery". */
  readonly shown: string;
  readonly line?: number | undefined;
  /** Its values, in one or several forms: the first that the type has fields for is taken. */
  readonly forms: readonly ImportedValues[];
  /** What of it is in no value, so that it cannot become a block: `its attribute "ref"`. */
  readonly untold?: string | undefined;
  /** What it is in the text of a page without blocks. */
  readonly words: ImportedWords;
  /** What is in a block that only holds others: it stands in its place where there is no type for it. */
  readonly inner?: readonly ImportedSection[] | undefined;
  /** Block types: where the site has all of them, it is left out, as the line that imports a component. */
  readonly unless?: readonly string[] | undefined;
  /** What is told of it where it stays text. */
  readonly remarks?: readonly Remark[] | undefined;
}

export interface ImportedWords {
  /** Markdown or HTML. May contain `sourceLink`s. */
  readonly text: string;
  readonly isHtml: boolean;
  /** The same without any markup, where it has none but that of one paragraph or heading. */
  readonly plain?: string | undefined;
}

export interface ImportedValues {
  readonly [name: string]: ImportedValue;
}

export type ImportedValue =
  /** Words without markup, a number or a choice. `isNamed`: only a field of its name takes it. */
  | { readonly plain: string; readonly isNamed?: true }
  | { readonly words: ImportedWords }
  | { readonly media: SourceId }
  /** An address, or a `sourceLink`. */
  | { readonly address: string }
  | { readonly items: readonly { readonly type: string; readonly values: ImportedValues }[] }
  | { readonly sections: readonly ImportedSection[]; readonly words: ImportedWords };

/** The next change of a page, as `PATCH pages/{id}/` takes it. One that would not be valid is kept beside, with a remark. */
export interface ImportedDraft {
  /** May contain `sourceLink`s and `sourceReference`s. */
  readonly payload: JsonObject;
  readonly scheduled?: Instant | undefined;
  readonly created?: Instant | undefined;
  readonly updated?: Instant | undefined;
}

export interface ImportedTag {
  readonly source: SourceId;
  readonly place: SourcePlace;
  /** By language; a tag of the site with the same name in any of them is the same tag. */
  readonly names: { readonly [lang: Lang]: string };
}

export interface ImportedMedia {
  readonly source: SourceId;
  readonly place: SourcePlace;
  /** The name of the file, with its extension; made safe as those of uploads are. */
  readonly name: string;
  /** Path of its folder in the library: `images/2024`; "" for none. */
  readonly folder: string;
  readonly texts?: {
    readonly [lang: Lang]: { readonly title?: string; readonly alt_text?: string; readonly description?: string };
  };
  readonly created?: Instant | undefined;
  /** Paths below the media URL at which it was: they redirect to it. */
  readonly formerPaths?: readonly string[] | undefined;
  /** Renditions of its own, in place of those of the settings. */
  readonly variants?: readonly Variant[] | undefined;
  /** The address in texts for which there is a link, should the file not be usable. */
  readonly address: string;
  /** Identifies the bytes where that costs less than reading them, as an address of a file on the web. */
  readonly version?: string | undefined;
  /**
   * The complete file on disk, called when it has to be stored, or, without `version`, to be compared. The importer
   * removes temporary files after the import. @throws CmsError with a sentence where the file cannot be had
   */
  open(): Promise<{ readonly file: string; readonly size: number }>;
}

export interface ImportedFolder {
  readonly source: SourceId;
  readonly place: SourcePlace;
  /** As `ImportedMedia.folder` has it. */
  readonly path: string;
  readonly title: string;
  readonly created?: Instant | undefined;
}

export interface ImportedMenu {
  readonly source: SourceId;
  readonly place: SourcePlace;
  readonly key: string;
  /** Absent: enabled. */
  readonly enabled?: boolean | undefined;
  readonly nodes: { readonly [lang: Lang]: readonly ImportedNode[] };
}

export interface ImportedNode {
  readonly title: string;
  /** An entry, a fixed address, or nothing. A node to an entry that is not imported is left out with a remark. */
  readonly link: { readonly entry: SourceId } | { readonly address: string } | "none";
  readonly meta?: JsonObject;
  readonly nodes?: readonly ImportedNode[];
}

export interface ImportedRedirect {
  readonly place: SourcePlace;
  /** Path of the old site, with a language prefix where it had one. */
  readonly from: string;
  /** A path, an absolute address, or a `sourceLink`. */
  readonly to: string;
  readonly status?: 301 | 302;
}

/** A content block. */
export interface ImportedContent {
  readonly source: SourceId;
  readonly place: SourcePlace;
  readonly identifier: string;
  /** The page it belongs to; absent: the whole site. */
  readonly entry?: SourceId | undefined;
  /** By language. May contain `sourceLink`s. */
  readonly texts: { readonly [lang: Lang]: string };
}

export interface ImportedMetaType {
  readonly source: SourceId;
  readonly place: SourcePlace;
  /** Letters, digits, `-` and `_`; a type of the site with the same key is the same type only with `--force`. */
  readonly key: string;
  readonly name: string;
  readonly description?: string | undefined;
  /** Definitions as the API takes them. */
  readonly schema: Json;
  readonly created?: Instant | undefined;
  readonly updated?: Instant | undefined;
}

export interface ImportedMetaInstance {
  readonly source: SourceId;
  readonly place: SourcePlace;
  readonly type: SourceId;
  readonly identifier: string;
  /** May contain `sourceLink`s and `sourceReference`s. */
  readonly data: JsonObject;
  readonly created?: Instant | undefined;
  readonly updated?: Instant | undefined;
}

type AccountFields = Pick<
  Account,
  | "username"
  | "email"
  | "first_name"
  | "last_name"
  | "is_staff"
  | "is_superuser"
  | "is_active"
  | "user_permissions"
  | "password"
>;

export interface ImportedAccount extends AccountFields {
  readonly source: SourceId;
  readonly place: SourcePlace;
  readonly joined?: Instant | undefined;
  readonly lastLogin?: Instant | undefined;
}
