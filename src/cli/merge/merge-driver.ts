/** `cms merge-driver`: git's merge of one content file that both sides changed (gitattributes(5), merge drivers). */
import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { own } from "../../model/input/json.ts";
import type { FieldConflict } from "../../model/merge/conflict.ts";
import { diskFs, replaceFile } from "../../store/git/fs.ts";
import type { FileSides } from "../../store/merge/merge-file.ts";
import { run, UsageError } from "../command.ts";
import { programName } from "../program-name.ts";
import { processIo, type Io } from "../terminal.ts";

/** Files of git's in its working directory: the common version, ours (the result is written to it), and theirs. */
interface DriverFiles {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
  readonly markerSize: number;
  /** The path in the repository. */
  readonly path: string;
}

export function registerMergeDriver(program: Command, io: Io = processIo): void {
  program
    .command("merge-driver <base> <ours> <theirs> <marker-size> <path>")
    .description("merge a content file by field: git runs it, see `cms setup`")
    .action(
      run(io, (base: string, ours: string, theirs: string, size: string, path: string) => {
        const markerSize = Number(size);
        if (!/^\d{1,4}$/.test(size) || markerSize === 0)
          throw new UsageError(`The size of conflict markers is a number, not "${size}".`);
        return mergeForGit(io, { base, ours, theirs, markerSize, path });
      }),
    );
}

/** Each is written into the file, which is parsed again for it. More are a merge by line. */
const CONFLICTS_MAX = 100;

/** @returns the exit code that git expects: 1 leaves the path unmerged */
async function mergeForGit(io: Io, files: DriverFiles): Promise<number> {
  try {
    const [base, ours, theirs] = await Promise.all(
      [files.base, files.ours, files.theirs].map((file) => readFile(file)),
    );
    // Git gives an empty file where there is no common version.
    const merged = await mergedBytes(files, { base: base!.length > 0 ? base! : null, ours: ours!, theirs: theirs! });
    if (merged) {
      // A write that a full disk cuts off would leave half of our side for the merge by line.
      const temporary = `${files.ours}.partial`;
      await replaceFile(diskFs, files.ours, merged.bytes, { mode: 0o666, temporary, isDurable: false });
      for (const { path } of merged.conflicts)
        io.stderr.write(
          `cms: ${shown(files.path)}: both sides changed ${shown(path.join("."))}: see \`${programName(io)} check\`\n`,
        );
      return merged.conflicts.length > 0 ? 1 : 0;
    }
  } catch (error) {
    io.stderr.write(`cms: ${shown(files.path)} is merged as text: ${shown(String(error))}\n`);
  }
  return mergeAsText(files);
}

/** Paths and keys are what others have committed: their control characters must not reach the terminal. */
const shown = (text: string): string => text.replace(/\p{Cc}/gu, "?");

/** undefined: the file cannot be merged by field. */
async function mergedBytes(
  { path, markerSize }: DriverFiles,
  sides: FileSides,
): Promise<{ bytes: Uint8Array; conflicts: readonly FieldConflict[] } | undefined> {
  const [{ mergeRecordFile }, { withConflicts }, { decodeFile }] = await Promise.all([
    import("../../store/merge/merge-file.ts"),
    import("../../store/merge/conflicted-file.ts"),
    import("../../store/codec/codec.ts"),
  ]);
  const merge = mergeRecordFile({ path }, sides);
  if (merge.outcome === "unreadable" || merge.bytes === null) return undefined;
  const conflicts = merge.conflicts.filter((conflict) => conflict.kind === "field");
  const idOf = (bytes: Uint8Array | null) => bytes && own(decodeFile(path, bytes).data, "id");
  // Two new records under one name are not one record.
  if (sides.base === null && conflicts.length > 0 && idOf(sides.ours) !== idOf(sides.theirs)) return undefined;
  if (conflicts.length > CONFLICTS_MAX) return undefined;
  if (conflicts.length === 0) return { bytes: merge.bytes, conflicts };
  return { bytes: withConflicts(path, merge.bytes, conflicts, markerSize), conflicts };
}

/** A merge by line, with the labels that `cms check` knows. @returns 1 where lines clash */
async function mergeAsText({ base, ours, theirs, markerSize, path }: DriverFiles): Promise<number> {
  const { mergeText, hasClash, textWithMarkers } = await import("../../model/merge/text.ts");
  try {
    // Bytes stand for characters, so that a file of any encoding keeps its bytes.
    const texts = await Promise.all([base, ours, theirs].map((file) => readFile(file, "latin1")));
    const [baseText = "", ourText = "", theirText = ""] = texts;
    const parts = mergeText(baseText, ourText, theirText);
    const merged = Buffer.from(textWithMarkers(parts, markerSize), "latin1");
    // In place, as git itself does: this is also the way where no file can be written beside ours.
    await writeFile(ours, hasClash(parts) && path.endsWith(".md") ? await withBodyComment(path, merged) : merged);
    return hasClash(parts) ? 1 : 0;
  } catch {
    return 1; // our version stays, and git lists the path as in conflict
  }
}

/** Markers in the body of a Markdown file are a text like any other unless its front matter tells of the conflict. */
async function withBodyComment(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  const { withComment } = await import("../../store/merge/conflicted-file.ts");
  const texts = { base: undefined, ours: "", theirs: "" };
  try {
    return withComment(path, bytes, { kind: "field", path: ["body"], field: "body", ...texts });
  } catch {
    return bytes; // its front matter does not parse, so the file is told as one that is not merged
  }
}
