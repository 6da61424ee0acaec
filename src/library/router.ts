/** The public router: what a path answers to readers, and the change manifest. */
import type { Lang } from "../model/language/locale.ts";
import { answerManifest, type Manifest } from "../views/manifest/manifest.ts";
import { addressPayload } from "../views/page/pagination.ts";
import { resolveRoute } from "../views/page/route.ts";
import type { SiteContext } from "./context.ts";
import { langOf, viewOf, type ReadOptions } from "./options.ts";
import type { ArticlePayload, PagePayload } from "./payloads.ts";
import { readPublic } from "./publish-on-read.ts";
import { renderPath, type Rendered } from "./render.ts";

export type { Manifest, Rendered };

export interface ResolveOptions extends Omit<ReadOptions, "lang"> {
  /** Pages that are not public are found too, with their pending drafts applied; nothing is published. */
  readonly preview?: boolean;
  /** Languages whose texts are added to the payload. */
  readonly translations?: readonly Lang[];
}

export type Resolved =
  | { readonly kind: "page"; readonly lang: Lang; readonly page: PagePayload | ArticlePayload }
  | { readonly kind: "redirect"; readonly to: string; readonly status: 301 | 302 }
  | { readonly kind: "missing" };

export interface Router {
  /**
   * What a public path leads to. The language is that of the path. A due draft of the page is published first.
   *
   * @param path decoded, with its leading slash; a path that is not canonical is a redirect
   */
  resolve(path: string, options?: ResolveOptions): Promise<Resolved>;
}

export interface RenderOptions {
  /** The query, with its `?`; redirects keep it. */
  readonly search?: string;
  /** Scheme and host, for the `request` of templates. */
  readonly origin?: string;
}

export function openRouter(ctx: SiteContext): Router {
  return {
    async resolve(path, { preview = false, translations = [], ...options } = {}) {
      const langs = translations.map((lang) => langOf(ctx, lang));
      const view = viewOf(ctx, preview ? "preview" : "public", options);
      const { route, view: seen } = preview
        ? { route: resolveRoute(view, path), view }
        : await readPublic(ctx, view, path);
      if (route.kind === "missing") return { kind: "missing" };
      if (route.kind === "redirect") return { kind: "redirect", to: route.to, status: route.status };
      const payload = addressPayload({ ...seen, lang: route.lang }, route.page, route.place, langs) as PagePayload;
      return { kind: "page", lang: route.lang, page: payload };
    },
  };
}

export const renderPublicPath = async (
  ctx: SiteContext,
  path: string,
  { search = "", origin = "" }: RenderOptions = {},
): Promise<Rendered> =>
  renderPath(ctx, () => viewOf(ctx, "public"), { path, pathname: encodeURI(path), search, origin });

/** The change manifest of the newest content. Applies no drafts. */
export async function readManifest(ctx: SiteContext): Promise<Manifest> {
  const { pieces } = await answerManifest(ctx, viewOf(ctx, "public"));
  return JSON.parse(pieces.join("")) as Manifest;
}
