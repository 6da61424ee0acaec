/**
 * What an importer produces: a site as plain data, whatever program it comes from.
 *
 * An importer (`markdown/`, and one folder for each other source) reads its source and returns an `ImportedSite`. It
 * writes nothing and knows nothing of the content that is here. `import-site.ts` does the rest: it compares with what
 * was imported before (`plan.ts`, `ledger.ts`), makes derivatives of images, and writes one commit.
 *
 * Records refer to each other by their source ids; texts contain `sourceLink`s, which become addresses of this site
 * when the text is written, since only then it is known where everything is.
 */
import type { Instant } from "../model/instant.ts";
import type { JsonObject } from "../model/json.ts";
import type { Lang } from "../model/locale.ts";
import type { Byline, PageText } from "../model/page.ts";

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
  readonly menus?: readonly ImportedMenu[];
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
  readonly ordering?: number | undefined;
  /** Absent: a UUID. Given up with a remark where another page has it. */
  readonly identifier?: string | undefined;
  readonly template?: string | undefined;
  /** Tags of an article. */
  readonly tags?: readonly SourceId[] | undefined;
  /** Name and username of an article's author; `id` is that of an account here, or any number where there is none. */
  readonly author?: Byline | undefined;
  readonly ogImage?: SourceId | undefined;
  readonly highlightImage?: SourceId | undefined;
  readonly meta?: JsonObject | undefined;
  readonly robots?: string | undefined;
  /** Whether it is in the trash of its source. */
  readonly isTrashed?: boolean | undefined;
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
  /**
   * Absent: it is a draft. In the future: it is scheduled. A draft's own date goes into `created`. "undated": it is public,
   * and the source does not say since when: since the import, or since the moment that the page has here.
   */
  readonly published?: Instant | "undated" | undefined;
  /** Markdown or HTML: `content` of an article, `template_data.body` of a page. May contain `sourceLink`s. */
  readonly body?: string | undefined;
  /** Goes into `template_data`, where what has no field of its own is kept. May contain `sourceLink`s in its texts. */
  readonly data?: JsonObject | undefined;
  /** Paths, with language prefix where they had one, at which it was served: each leads here afterwards. */
  readonly addresses?: readonly string[] | undefined;
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
  /** Of the file, with its extension; made safe as those of uploads are. */
  readonly name: string;
  /** Path of its folder in the library: `images/2024`; "" for none. */
  readonly folder: string;
  readonly texts?: {
    readonly [lang: Lang]: { readonly title?: string; readonly alt_text?: string; readonly description?: string };
  };
  readonly created?: Instant | undefined;
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

export interface ImportedMenu {
  readonly source: SourceId;
  readonly place: SourcePlace;
  readonly key: string;
  readonly nodes: { readonly [lang: Lang]: readonly ImportedNode[] };
}

export interface ImportedNode {
  readonly title: string;
  /** An entry, else a fixed address. A node to an entry that is not imported is left out with a remark. */
  readonly link: { readonly entry: SourceId } | { readonly address: string };
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
