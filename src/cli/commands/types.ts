/** `cms types`: the TypeScript types of what the site serves. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { readSite, run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
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
        const text = await readSite(flags, async ({ config, store }) => {
          const { shapeOf } = await import("../../schema/site-shape.ts");
          const { typesText } = await import("../../schema/typescript.ts");
          return typesText(shapeOf(config, store.current));
        });
        if (flags.out === "-") {
          io.stdout.write(text);
          return;
        }
        const file = resolve(siteRoot(flags), flags.out);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
        say(io, flags, `Wrote ${flags.out}.`);
      }),
    );
}
