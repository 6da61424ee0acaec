/** Which generator a folder is for. */
import { openAstro } from "./astro.ts";
import { DECAP_CONFIG, openDecap } from "./decap.ts";
import type { Dialect, DialectContext, DialectName } from "./dialect.ts";
import { ELEVENTY_CONFIG, openEleventy } from "./eleventy.ts";
import { openHugo } from "./hugo.ts";
import { openJekyll } from "./jekyll.ts";
import { openPlain } from "./plain.ts";
import type { SourceTree } from "../source-tree.ts";

const OPEN: Readonly<Record<DialectName, (context: DialectContext) => Promise<Dialect>>> = {
  hugo: openHugo,
  jekyll: openJekyll,
  astro: openAstro,
  eleventy: openEleventy,
  decap: openDecap,
  plain: openPlain,
};

export const openDialect = (name: DialectName, context: DialectContext): Promise<Dialect> => OPEN[name](context);

/** By configuration files and folders that no other generator has. Decap stands beside a generator, which decides. */
export function detectDialect({ paths }: SourceTree): DialectName {
  const has = (pattern: RegExp): boolean => paths.some((path) => pattern.test(path));
  if (has(/^hugo\.(?:toml|ya?ml|json)$/) || has(/^config\/_default\//)) return "hugo";
  if (has(/^astro\.config\./)) return "astro";
  if (paths.some((path) => ELEVENTY_CONFIG.test(path))) return "eleventy";
  if (has(/^src\/content\//)) return "astro";
  if (has(/^_config\.(?:ya?ml|toml)$/) || has(/(?:^|\/)_posts\//)) return "jekyll";
  if (has(/^config\.(?:toml|ya?ml|json)$/) && has(/^content\//)) return "hugo";
  return has(DECAP_CONFIG) ? "decap" : "plain";
}
