/** `cms regenerate-renditions`: thumbnails and renditions of every image, or of some. */
import type { Command } from "commander";
import { SERVICE } from "../../actions/context.ts";
import type { Regenerated } from "../../actions/media/regenerate.ts";
import { systemEnv } from "../../env.ts";
import { run, UsageError, withSite, withSiteOptions, type SiteOptions } from "../command.ts";
import { paint, processIo, say, type Io } from "../terminal.ts";
import { openProgress } from "../progress.ts";

interface Flags extends SiteOptions {
  readonly missing?: boolean;
  readonly json?: boolean;
}

export function registerRegenerateRenditions(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("regenerate-renditions [ids...]"))
    .description("regenerate thumbnails and renditions of all images, or of the given ones")
    .option("--missing", "only those that were never made or are not on disk")
    .option("--json", "print the outcome for each image as a list")
    .action(run(io, (ids: string[], flags: Flags) => regenerate(io, ids.map(readId), flags)));
}

async function regenerate(io: Io, ids: readonly number[], flags: Flags): Promise<number> {
  const { regenerateAll, selectImages } = await import("../../actions/media/regenerate.ts");
  return withSite(flags, { env: systemEnv() }, async (cms) => {
    const selection = { ids, missing: flags.missing ?? false };
    const total = selectImages(cms, selection).length;
    const progress = openProgress(io, flags, "Making renditions", total);
    const results: Regenerated[] = [];
    for await (const each of regenerateAll(cms, SERVICE, selection)) {
      results.push(each);
      if (each.outcome === "failed") {
        progress.clear();
        io.stderr.write(`${paint(io, io.stderr, "red", "failed:")} ${each.file || each.id}: ${each.reason}\n`);
      }
      progress.show(results.length, each.file);
    }
    progress.clear();
    if (flags.json) io.stdout.write(`${JSON.stringify(results, null, 2)}\n`);
    const count = (outcome: Regenerated["outcome"]): number =>
      results.filter((each) => each.outcome === outcome).length;
    const gone = count("gone") > 0 ? `, ${count("gone")} removed meanwhile` : "";
    say(
      io,
      flags,
      `${total} ${total === 1 ? "image" : "images"}: ${count("made")} made, ${count("kept")} complete already, ${count("failed")} failed${gone}.`,
    );
    return count("failed") > 0 ? 1 : 0;
  });
}

function readId(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new UsageError(`"${text}" is no id of a media item.`);
  return Number(text);
}
