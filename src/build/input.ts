/** What a build is made from, and what is wanted of it. */
import type { Config } from "../config.ts";
import type { Templates } from "../render/templates.ts";
import type { Dependencies } from "./dependencies.ts";
import type { OutputFormats } from "./page-files.ts";
import type { Source } from "./sources/source.ts";
import type { Worker } from "./workers/pool.ts";

export interface BuildOptions extends OutputFormats {
  readonly out: string;
  /** Whether every page is rendered, whatever an earlier build has left. */
  readonly full: boolean;
  /** Whether redirects are written as rules for nginx as well. */
  readonly nginx: boolean;
  /** Told after each page that is made. */
  progress?(done: number, of: number): void;
}

export interface BuildInput {
  readonly config: Config;
  readonly templates: Templates;
  readonly dependencies: Dependencies;
  readonly source: Source;
  /** Workers that render a number of pages of this source into a folder; none where that is not worth it. */
  workersFor?(pages: number, out: string): readonly Worker[];
  /** Other work, done once the workers have something to do. */
  aside?(): Promise<void>;
  /** Further files, text by path. */
  readonly extra?: ReadonlyMap<string, string>;
}
