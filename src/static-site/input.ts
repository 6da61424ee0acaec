/** The input and the options of a build. */
import type { Config } from "../config.ts";
import type { Instant } from "../model/time/instant.ts";
import type { Templates } from "../render/templates.ts";
import type { Dependencies } from "./dependencies.ts";
import type { OutputFormats } from "./page-files.ts";
import type { PageLog } from "./page-log.ts";
import type { RedirectHost } from "./redirect-files.ts";
import type { MediaFile, Source } from "./sources/source.ts";
import type { Worker } from "./workers/pool.ts";

export interface BuildOptions extends OutputFormats {
  readonly out: string;
  /** Whether every page is rendered, also where an earlier build could be continued. */
  readonly full: boolean;
  /** The hosts for which redirects are written beside `_redirects`. */
  readonly redirects: readonly RedirectHost[];
  /** Called after each page. */
  progress?(done: number, of: number): void;
  /** Whether due drafts are published first. */
  readonly publishDue?: boolean;
  /** Other content than that of the working tree. */
  readonly content?: OtherContent | undefined;
  /** The address of a running service that has the content. */
  readonly server?: string | undefined;
  readonly token?: string | undefined;
  /** A folder that keeps parsed files or payloads between fresh clones. */
  readonly cache?: string | undefined;
  /** How many processes render pages; undefined for one a processor. */
  readonly jobs?: number | undefined;
  /** Whether everything is built a second time, to compare. */
  readonly verify?: boolean;
}

/** What `--at` and `--as-of` name. */
export type OtherContent = { readonly at: string } | { readonly asOf: Instant };

export interface BuildInput {
  readonly config: Config;
  readonly templates: Templates;
  readonly dependencies: Dependencies;
  readonly source: Source;
  /** The log that the site was opened with. */
  readonly log: PageLog;
  /** Workers that render a number of pages of this source into a folder; none where they would take longer. */
  workersFor?(pages: number, out: string): readonly Worker[];
  /** Other work, done once the workers have pages to render. */
  aside?(): Promise<void>;
  /** Files of `static/` that are published, with their paths below it. */
  readonly statics?: readonly MediaFile[];
  /** Further files, text by path. */
  readonly extra?: ReadonlyMap<string, string>;
}
