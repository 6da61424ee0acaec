/**
 * The files of a site that are copied: its media, and the files of `static/`. A file is copied unless the output has this
 * version from an earlier build.
 */
import type { Output } from "./output/output.ts";
import { failureOf, type Failure } from "./report.ts";
import type { MediaFile, Source } from "./sources/source.ts";
import type { State } from "./state/state.ts";

export interface CopiedFiles {
  /** How many are media. */
  readonly media: number;
  /** By path in the output. `copy` deletes files that cannot be copied or were removed meanwhile. */
  readonly files: ReadonlyMap<string, MediaFile>;
  /** The paths that `copy` writes. */
  readonly toCopy: readonly string[];
  /** @returns how many files changed */
  copy(failures: Failure[]): Promise<number>;
}

/**
 * @param mediaUrl begins and ends with a slash
 * @param statics by path in the output
 */
export async function copiedFilesOf(
  source: Source,
  mediaUrl: string,
  statics: ReadonlyMap<string, MediaFile>,
  stored: State | undefined,
  output: Output,
): Promise<CopiedFiles> {
  const media = new Map((await source.media()).map((file) => [mediaUrl.slice(1) + file.path, file]));
  const files = new Map([...media, ...statics]);
  const toCopy = [...files].filter(([path, file]) => !isCopied(stored, output, path, file));
  return {
    media: media.size,
    files,
    toCopy: toCopy.map(([path]) => path),
    async copy(failures) {
      let written = 0;
      for (const [path, file] of toCopy) {
        try {
          if (await output.files.putFrom(path, (to) => file.copy(to))) written++;
          else if (files.delete(path)) output.files.remove(path);
        } catch (error) {
          failures.push(failureOf(error, `/${path}`, null));
          files.delete(path);
        }
      }
      return written;
    },
  };
}

function isCopied(stored: State | undefined, output: Output, path: string, { version }: MediaFile): boolean {
  const known = stored?.files[path];
  return known !== undefined && known[1] === version && output.found.get(path) === known[0] && !output.unsure.has(path);
}
