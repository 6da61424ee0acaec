/** `cms manifest`: the change manifest as the API gives it. */
import type { Command } from "commander";
import { silentLog, systemEnv } from "../../env.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, type Io } from "../terminal.ts";

export function registerManifest(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("manifest"))
    .description("print the change manifest: every public page with a hash of its content")
    .action(
      run(io, async (flags: SiteOptions) => {
        const root = siteRoot(flags);
        const { openCms } = await import("../../cms.ts");
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
        io.stdout.write(`${JSON.stringify(await cms.manifest(), null, 2)}\n`);
        await cms.close();
      }),
    );
}
