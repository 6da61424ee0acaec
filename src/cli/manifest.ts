/** `cms manifest`: the change manifest as the API gives it. */
import type { Command } from "commander";
import { silentLog, systemEnv } from "../env.ts";
import { processIo, run, siteRoot, withSiteOptions, type Io, type SiteOptions } from "./command.ts";

export function registerManifest(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("manifest"))
    .description("print the change manifest: every public page with a hash of its content")
    .action(
      run(io, async (flags: SiteOptions) => {
        const root = siteRoot(flags);
        const [{ openCms }, { openManifests }, { renderEpoch }] = await Promise.all([
          import("../cms.ts"),
          import("../views/manifest.ts"),
          import("../views/epoch.ts"),
        ]);
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
        const { config, locales, store, env } = cms;
        const view = {
          content: store.current,
          config,
          locales,
          lang: locales.default,
          now: env.now(),
          surface: "public",
          origin: "",
        } as const;
        const { body } = await openManifests().answer(view, await renderEpoch(cms, view.content, view.now));
        io.stdout.write(`${JSON.stringify(JSON.parse(body), null, 2)}\n`);
        await cms.close();
      }),
    );
}
