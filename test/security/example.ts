/** A site in memory with the templates of the example site. */
import { cpSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DeepPartial, Settings } from "../../src/config.ts";
import { memorySite, type MemorySite } from "../site.ts";

export async function siteWithTemplates(
  files: Record<string, string> = {},
  settings: DeepPartial<Settings> = {},
): Promise<MemorySite> {
  const site = await memorySite(files, settings);
  cpSync(fileURLToPath(new URL("../../templates", import.meta.url)), `${site.repo.root}/templates`, {
    recursive: true,
  });
  site.cms.templates.reset();
  return site;
}
