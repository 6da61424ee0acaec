/** `cms schemas`: JSON Schemas of the files of the site, for editors. */
import { resolve } from "node:path";
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
