/** The program's own name and version, from its package. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface Package {
  readonly name: string;
  readonly version: string;
}

/** The folder of the installed program, which also holds the example site. */
export const PROGRAM_ROOT = fileURLToPath(new URL("..", import.meta.url));

export const PROGRAM: Package = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
) as Package;
