/** What development mode adds to the pages and files of a site (docs/development.md). */
import { titleOf } from "../../model/page/page.ts";
import { resolveRoute } from "../../views/page/route.ts";
import { templateOf } from "../../store/content/indexes/pages-by-model.ts";
import { isAddressOrLocalhost } from "../socket/authority.ts";
import { siteReply } from "../public/html.ts";
import { publicView } from "../app/call.ts";
import { mediaReply } from "../public/media-files.ts";
import type { Reply } from "../request/reply.ts";
import type { Call } from "../app/route.ts";
import { errorPage, type FailedPage } from "./error-page.ts";
import { LIVE_RELOAD_PATH, withLiveReload, type LiveReload } from "./live-reload.ts";

/** Media files that browsers ask for again each time, pages that load themselves again, and failures explained. */
export async function developmentReply(call: Call, path: string, liveReload: LiveReload): Promise<Reply> {
  if (path === LIVE_RELOAD_PATH && call.method === "GET") return liveReload.stream();
  const { version } = liveReload;
  const media = await mediaReply(call, path);
  if (media) return { ...media, headers: { ...media.headers, "cache-control": "no-cache" } };
  const { config, templates } = call.ctx;
  const explain = (error: unknown, requestId: string): string =>
    errorPage(error, templates, { address: call.url.pathname + call.url.search, page: pageAt(call, path), requestId });
  const reply = await siteReply(call, path, mayBeExplained(call) ? explain : undefined);
  const fresh = { ...reply, headers: { ...reply.headers, "cache-control": "no-cache" } };
  return withLiveReload(fresh, version, config.CONTENT_SECURITY_POLICY);
}

/** Failures show source text: a page of another site, whose name was made to lead to this machine, must not read them. */
const mayBeExplained = ({ ctx, headers, url }: Call): boolean =>
  ctx.config.ALLOWED_HOSTS.length > 0 || isAddressOrLocalhost(headers.get("host") ?? url.host);

function pageAt(call: Call, path: string): FailedPage["page"] {
  const view = publicView(call);
  const route = resolveRoute(view, path);
  const page = route.kind === "missing" ? undefined : route.page;
  if (!page) return undefined;
  const title = titleOf(page, route.lang, view.locales.default);
  return { id: page.id, title, template: templateOf(view.content, view.config, page) };
}
