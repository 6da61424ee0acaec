/** What other programs need of the site's shape: JSON Schemas of its files (`cms schemas`), types of what it serves (`cms types`). */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Command } from "commander";
import { readSite, run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface SchemasFlags extends SiteOptions {
  readonly out: string;
  readonly mapping?: boolean;
}

export function registerSchemas(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("schemas"))
    .description("write JSON Schemas of settings and content files, for editors")
    .option("--out <folder>", "the folder, below the site's folder", ".cms/schemas")
    .option("--mapping", "print the setting yaml.schemas of an editor, and write nothing")
    .action(
      run(io, async (flags: SchemasFlags) => {
        const { schemasOf, writeSchemas } = await import("../schema-files.ts");
        const schemas = await readSite(flags, schemasOf);
        if (flags.mapping) {
          const { yamlSchemas } = await import("../../schema/files.ts");
          io.stdout.write(`${JSON.stringify({ "yaml.schemas": yamlSchemas(schemas, flags.out) }, null, 2)}\n`);
          return;
        }
        await writeSchemas(resolve(siteRoot(flags), flags.out), schemas);
        say(io, flags, `Wrote ${schemas.length} schemas to ${flags.out}.`);
      }),
    );
}

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
