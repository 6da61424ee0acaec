/** `cms types`: the TypeScript types of what the site serves. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { silentLog, systemEnv } from "../../env.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface TypesFlags extends SiteOptions {
  readonly out: string;
}

export function registerTypes(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("types"))
    .description("write TypeScript types of pages, menus, articles, page models and meta types")
    .option("--out <file>", "the file, below the site's folder; - for the terminal", "cms-types.d.ts")
    .action(
      run(io, async (flags: TypesFlags) => {
        const root = siteRoot(flags);
        const [{ openCms }, { shapeOf }, { typesText }] = await Promise.all([
          import("../../cms.ts"),
          import("../../schema/site-shape.ts"),
          import("../../schema/typescript.ts"),
        ]);
        const cms = await openCms(root, { env: systemEnv(silentLog), readOnly: true });
        const text = typesText(shapeOf(cms.config, cms.store.current));
        await cms.close();
        if (flags.out === "-") {
          io.stdout.write(text);
          return;
        }
        const file = resolve(root, flags.out);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        say(io, flags, `Wrote ${flags.out}.`);
      }),
    );
}
