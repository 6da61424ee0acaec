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
import { fetchPages } from "./kept-pages.ts";

export interface NuxtOptions {
  /** Where the service is; by default `CMS_URL` of the environment, else http://127.0.0.1:8000. */
  readonly url?: string;
  /** The file of redirects in the output, as Netlify and Cloudflare read it; "_redirects" by default, null for none. */
  readonly redirects?: string | null;
}

interface Nitro {
  readonly options: { readonly output: { readonly publicDir: string } };
  readonly hooks: { hook(name: "prerender:done", call: () => void): void };
}

interface Nuxt {
  readonly options: {
    readonly rootDir: string;
    /** Whether `nuxt generate` runs, which leaves no server. */
    readonly _generate?: boolean;
    readonly build: { transpile: unknown[] };
    readonly runtimeConfig: { public: Record<string, unknown>; [key: string]: unknown };
  };
  hook(name: "imports:extend", call: (imports: { name: string; from: string }[]) => void): void;
  hook(name: "prerender:routes", call: (context: { routes: Set<string> }) => Promise<void>): void;
  hook(name: "nitro:init", call: (nitro: Nitro) => void): void;
}

const COMPOSABLES = fileURLToPath(new URL("./nuxt-composables.js", import.meta.url));

/** The module; its options are those of `cms` in `nuxt.config.ts`. */
export default function gitCms(inline: NuxtOptions, nuxt: Nuxt): void {
  const options: NuxtOptions = { ...(nuxt.options as { cms?: NuxtOptions }).cms, ...inline };
  const { redirects = "_redirects" } = options;
  const client = createClient({ url: options.url });
  const file = join(nuxt.options.rootDir, "node_modules/.cache/git-cms.json");
  nuxt.options.runtimeConfig.cms = { file };
  nuxt.options.runtimeConfig.public.cms = { url: client.url };
  nuxt.options.build.transpile.push(/git-cms/);
  nuxt.hook("imports:extend", (imports) => {
    for (const name of ["useCmsPage", "useCmsPages", "useCmsMenu", "useCmsLanguages"])
      imports.push({ name, from: COMPOSABLES });
  });
  if (!nuxt.options._generate) return;

  let manifest: SiteManifest | undefined;
  nuxt.hook("prerender:routes", async ({ routes }) => {
    const found = await fetchPages(client, file);
    manifest = found.manifest;
    for (const { path } of found.entries) routes.add(path);
    console.log(`git-cms: ${found.entries.length} pages, ${found.fetched} of them fetched`);
  });
  nuxt.hook("nitro:init", ({ options: { output }, hooks }) =>
    hooks.hook("prerender:done", () => {
      if (manifest && redirects !== null) writeFileSync(join(output.publicDir, redirects), redirectLines(manifest));
    }),
  );
}
