/** `cms manifest`: the change manifest as the API gives it. */
import type { Command } from "commander";
import { readSite, run, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, type Io } from "../terminal.ts";

export function registerManifest(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("manifest"))
    .description("print the change manifest: every public page with a hash of its content")
    .action(
      run(io, async (flags: SiteOptions) => {
        const manifest = await readSite(flags, (cms) => cms.manifest());
        io.stdout.write(`${JSON.stringify(manifest, null, 2)}\n`);
      }),
    );
}
