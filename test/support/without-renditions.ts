import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Turns renditions off in the settings of a site that `cms init` made: encoding takes most of the time, and is tested elsewhere. */
export function withoutRenditions(dir: string): void {
  const file = join(dir, "cms.config.yaml");
  const text = readFileSync(file, "utf8");
  const off = "RENDITIONS: { ENABLE: false }";
  const own = /RENDITIONS: \{ COMMIT: false \}/;
  writeFileSync(file, own.test(text) ? text.replace(own, off) : `${text}MEDIA: { ${off} }\n`);
}
