/** The HTML of a public path: the page with its template, a redirect, or the page for errors. */
import { ensureHomepage } from "../actions/pages/homepage.ts";
import { CmsError } from "../errors.ts";
import { splitLang, type Lang } from "../model/language/locale.ts";
import type { TemplateRequest } from "../render/inject.ts";
import { renderedTemplate } from "../render/headless.ts";
import { renderInput, renderNotFound, renderPage } from "../render/page.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { addressPayload } from "../views/page/pagination.ts";
import type { View } from "../views/view.ts";
import { whenReady } from "./at-once.ts";
import type { SiteContext } from "./context.ts";
import { readPublic, type PublicRead } from "./publish-on-read.ts";

/** What a public path answers. */
export type Rendered =
  | { readonly status: 200; readonly html: string; readonly lang: Lang }
  | { readonly status: 404; readonly html: string }
  | { readonly status: 301 | 302; readonly location: string };

/** The request that a page is rendered for. */
interface RenderedFor {
  /** Decoded, with its leading slash; the final slash matters. */
  readonly path: string;
  /** Percent-encoded. */
  readonly pathname: string;
  /** With its `?`; "" for none. Redirects keep it. */
  readonly search: string;
  /** Scheme and host. */
  readonly origin: string;
}

/**
 * In this order: redirect table, final slash, page, 404.
 *
 * @param view returns a public view of the newest content; called again after the home page was created
 * @throws CmsError `broken` naming the template that fails
 */
export function renderPath(
  ctx: SiteContext,
  view: () => View & { readonly content: Snapshot },
  request: RenderedFor,
): Rendered | Promise<Rendered> {
  return whenReady(readPublic(ctx, view(), request.path), (read) => {
    const { route } = read;
    const isMissing = route.kind === "missing" && !route.hidden;
    if (!isMissing || !ctx.config.RENDER.AUTO_CREATE_HOMEPAGE || !isHome(ctx, request.path))
      return renderRead(ctx, read, request);
    return createdHomepage(ctx, route.lang).then((isCreated) =>
      isCreated ? renderPath(ctx, view, request) : renderRead(ctx, read, request),
    );
  });
}

function renderRead(ctx: SiteContext, { route, view }: PublicRead, request: RenderedFor): Rendered | Promise<Rendered> {
  const { config } = ctx;
  const { path, pathname, search } = request;
  if (route.kind === "redirect" && !route.page) return { status: route.status, location: withQuery(route.to, search) };
  if (config.APPEND_SLASH && !path.endsWith("/"))
    return { status: 302, location: withQuery(pathname.replace(/^\/+/, "/") + "/", search) };
  if (route.kind === "redirect" && !isDefaultPrefixed(ctx, path, route.to))
    return { status: 302, location: withQuery(route.to, search) };
  const shown = { ...view, origin: "" };
  const facts = templateRequest(request, shown.lang);
  const input =
    route.kind === "missing" || !route.page
      ? undefined
      : renderInput(shown, route.page, addressPayload(shown, route.page, route.place));
  if (!input || renderedTemplate(config, ctx.templates, input.template) === undefined)
    return { status: 404, html: renderNotFound(ctx.templates, shown, facts) };
  return whenReady(renderPage(ctx.templates, shown, input, facts), (html) => ({ status: 200, html, lang: shown.lang }));
}

export const templateRequest = (
  { pathname, search, origin }: Omit<RenderedFor, "path">,
  language: Lang,
): TemplateRequest => ({
  path: pathname,
  url: origin + pathname + search,
  host: hostOf(origin),
  language,
});

/** Most requests have the origin of the one before, and parsing it takes as long as a small template. */
let latest = { origin: "", host: "" };

/** @param origin "" where there is none */
function hostOf(origin: string): string {
  if (origin === "") return "";
  if (origin !== latest.origin) latest = { origin, host: new URL(origin).host };
  return latest.host;
}

/** The prefix of the default language is no other address on this route, unlike on the routers. */
const isDefaultPrefixed = ({ locales }: SiteContext, path: string, canonical: string): boolean =>
  decodeURI(canonical) === splitLang(locales, path).rest;

/** False also for a site that cannot be written now, or whose pages go live with approvals alone. */
async function createdHomepage(ctx: SiteContext, lang: Lang): Promise<boolean> {
  try {
    return (await ensureHomepage(ctx, lang)).value;
  } catch (error) {
    if (error instanceof CmsError && ["unavailable", "forbidden"].includes(error.code)) return false;
    throw error;
  }
}

const isHome = ({ locales }: SiteContext, path: string): boolean => splitLang(locales, path).rest === "/";

const withQuery = (target: string, search: string): string => (target.includes("?") ? target : target + search);
