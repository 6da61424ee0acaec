/**
 * `git-cms/nuxt`: a module with the composable `useCmsPage()`, the prerendered routes of the manifest, redirects, and previews.
 *
 * `nuxt generate` fetches the payloads that changed since the last time, and the routes that it prerenders read them from a file, so
 * that no payload is fetched twice. A server asks the service for each page. The types of Nuxt are structural: this module needs
 * neither Nuxt nor its kit where it is installed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient, redirectLines, type SiteManifest } from "./client.ts";
import { keptOutput, programDigest, type KeptOutput, type RenderedRoute } from "./kept-output.ts";
import { fetchPages } from "./kept-pages.ts";

export interface NuxtOptions {
  /** Where the service is; by default `CMS_URL` of the environment, else http://127.0.0.1:8000. */
  readonly url?: string;
  /** The file of redirects in the output, as Netlify and Cloudflare read it; "_redirects" by default, null for none. */
  readonly redirects?: string | null;
  /**
   * `nuxt generate` renders only the pages that changed since the last time. For sites whose pages show what is in the service and
   * nothing of another place or moment, such as today's date.
   */
  readonly keepPages?: boolean;
}

interface Nitro {
  readonly options: {
    readonly output: { readonly publicDir: string };
    readonly prerender: { ignore: unknown[] };
  };
  readonly hooks: {
    hook(name: "prerender:route", call: (route: RenderedRoute) => void): void;
    hook(name: "prerender:done", call: () => void): void;
  };
}

interface Nuxt {
  readonly _version: string;
  readonly options: {
    readonly rootDir: string;
    /** Changed by this module: Nuxt makes another one at each build, which pages name. */
    buildId: string;
    /** The site itself, and those that it extends. */
    readonly _layers: readonly { readonly cwd: string }[];
    /** Base address and head of all pages. */
    readonly app: object;
    /** Whether `nuxt generate` runs, which leaves no server. */
    readonly _generate?: boolean;
    readonly build: { transpile: unknown[] };
    readonly runtimeConfig: {
      public: Record<string, unknown>;
      app: Record<string, unknown>;
      [key: string]: unknown;
    };
  };
  hook(name: "imports:extend", call: (imports: { name: string; from: string }[]) => void): void;
  hook(name: "prerender:routes", call: (context: { routes: Set<string> }) => Promise<void>): void;
  hook(name: "nitro:init", call: (nitro: Nitro) => void): void;
}

const COMPOSABLES = fileURLToPath(new URL("./nuxt-composables.js", import.meta.url));

/** The module; its options are those of `cms` in `nuxt.config.ts`. */
export default function gitCms(inline: NuxtOptions, nuxt: Nuxt): void {
  const options: NuxtOptions = { ...(nuxt.options as { cms?: NuxtOptions }).cms, ...inline };
  const { redirects = "_redirects", keepPages = false } = options;
  const client = createClient({ url: options.url });
  const cache = join(nuxt.options.rootDir, "node_modules/.cache");
  const file = join(cache, "git-cms.json");
  nuxt.options.runtimeConfig.cms = { file };
  nuxt.options.runtimeConfig.public.cms = { url: client.url };
  nuxt.options.build.transpile.push(/git-cms/);
  nuxt.hook("imports:extend", (imports) => {
    for (const name of ["useCmsPage", "useCmsPages", "useCmsMenu", "useCmsLanguages"])
      imports.push({ name, from: COMPOSABLES });
  });
  if (!nuxt.options._generate) return;

  let manifest: SiteManifest | undefined;
  let kept: KeptOutput | undefined;
  const program = keepPages ? programOf(nuxt) : "";
  if (keepPages) nuxt.options.runtimeConfig.app.buildId = nuxt.options.buildId = program;
  nuxt.hook("prerender:routes", async ({ routes }) => {
    const found = await fetchPages(client, file);
    manifest = found.manifest;
    if (keepPages) kept = keptOutput(join(cache, "git-cms-pages"), program, manifest);
    for (const { path } of found.entries) if (!kept?.has(decodeURI(path))) routes.add(path);
    const said = `git-cms: ${found.entries.length} pages, ${found.fetched} of them fetched`;
    console.log(kept ? `${said}, ${kept.size} rendered before` : said);
  });
  nuxt.hook("nitro:init", ({ options: { output, prerender }, hooks }) => {
    // The crawler of links would render them all the same.
    prerender.ignore.push((route: string) => kept?.has(route) ?? false);
    hooks.hook("prerender:route", (route) => kept?.add(route));
    hooks.hook("prerender:done", () => {
      kept?.copy(output.publicDir);
      if (manifest && redirects !== null) writeFileSync(join(output.publicDir, redirects), redirectLines(manifest));
    });
  });
}

/** A digest of all that pages are rendered from, besides what the service answers: files of the site, settings, the environment. */
function programOf({ options, _version }: Nuxt): string {
  const { buildId: _random, ...app } = options.runtimeConfig.app;
  const env = Object.entries(process.env).filter(([name]) => name.startsWith("NUXT_"));
  const settings = JSON.stringify([_version, options.app, { ...options.runtimeConfig, app }, env.sort()]);
  return programDigest([...new Set([options.rootDir, ...options._layers.map(({ cwd }) => cwd)])], settings);
}
