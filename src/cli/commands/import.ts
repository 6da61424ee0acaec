/** `cms import`: content of other programs, one command for each. */
import type { Command } from "commander";
import { registerImportCamomilla } from "../import/import-camomilla.ts";
import { registerImportMarkdown } from "../import/import-markdown.ts";
import { registerImportWordPress } from "../import/import-wordpress.ts";
import { processIo, type Io } from "../terminal.ts";

export function registerImport(program: Command, io: Io = processIo): void {
  const imports = program.command("import").description("content of other programs");
  registerImportCamomilla(imports, io);
  registerImportMarkdown(imports, io);
  registerImportWordPress(imports, io);
}
