/** What development mode adds to the pages and files of a site (docs/development.md). */
import { titleOf } from "../../model/page.ts";
import { resolveRoute } from "../../views/route.ts";
import { templateOf } from "../../store/content/indexes/page-models.ts";
import { publicView, siteReply } from "../html.ts";
import { mediaReply } from "../media-files.ts";
import type { Reply } from "../reply.ts";
import type { Call } from "../route.ts";
import { errorPage, type FailedPage } from "./error-page.ts";
import { LIVE_RELOAD_PATH, withLiveReload, type LiveReload } from "./live-reload.ts";

/** Media files that browsers ask for again each time, pages that load themselves again, and failures explained. */
export async function developmentReply(call: Call, path: string, liveReload: LiveReload): Promise<Reply> {
  if (path === LIVE_RELOAD_PATH && call.method === "GET") return liveReload.stream();
  const { version } = liveReload;
  const media = await mediaReply(call, path);
  if (media) return { ...media, headers: { ...media.headers, "cache-control": "no-cache" } };
  const { config, templates } = call.ctx;
  const reply = await siteReply(call, path, (error, requestId) =>
    errorPage(error, templates, { address: call.url.pathname + call.url.search, page: pageAt(call, path), requestId }),
  );
  const fresh = { ...reply, headers: { ...reply.headers, "cache-control": "no-cache" } };
  return withLiveReload(fresh, version, config.CONTENT_SECURITY_POLICY);
}

function pageAt(call: Call, path: string): FailedPage["page"] {
  const view = publicView(call);
  const route = resolveRoute(view, path);
  const page = route.kind === "missing" ? undefined : route.page;
  if (!page) return undefined;
  const title = titleOf(page, route.lang, view.locales.default);
  return { id: page.id, title, template: templateOf(view.content, view.config, page) };
}
