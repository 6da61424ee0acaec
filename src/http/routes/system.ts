/** API root, languages, health. */
import { CmsError } from "../../errors.ts";
import { isPublic } from "../../model/page/lifecycle.ts";
import { RECORDS } from "../../model/records/records.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { trimEnd } from "../../model/text/trim.ts";
import { pageIndex } from "../../store/content/indexes/page-index.ts";
import type { Repo } from "../../store/repo.ts";
import type { SyncStatus } from "../../store/sync/sync-service.ts";
import { record, TEXT } from "../../schema/json-schema.ts";
import { json, redirect, type Reply } from "../request/reply.ts";
import { get, type Call, type Route } from "../app/route.ts";

/** Collections by name. */
const COLLECTIONS = [
  "users",
  "permissions",
  "pages",
  "articles",
  ...RECORDS.map(({ path }) => path),
  "menus",
  "contents",
  "media",
  "media-folder",
  "block-types",
  "meta-types",
  "meta-instances",
  "languages",
];

export const systemRoutes: readonly Route[] = [
  get("", "public", apiRoot, {
    summary: "List the collections",
    answer: record(Object.fromEntries(COLLECTIONS.map((name) => [name, TEXT])), {
      description: "Addresses of the collections by name.",
    }),
  }),
  get("languages", "public", languages, {
    summary: "List the languages of the site",
    answer: "Languages",
    query: [{ name: "site_name", description: "`true`: with the name of the site.", schema: { type: "boolean" } }],
  }),
  get("sitemap", "public", pagesMoved, { summary: "Former address of the list of pages", status: 302 }),
];

function apiRoot(call: Call): Reply {
  const base = `${call.origin}${trimEnd(call.url.pathname, "/")}`;
  return json(Object.fromEntries(COLLECTIONS.map((name) => [name, `${base}/${name}/`])));
}

/** The languages of the site, as clients of the upstream system read them; its name for those that ask for it. */
function languages({ ctx, now, url }: Call): Reply {
  const { LANGUAGE_CODE: lang, LANGUAGES, SITE_NAME } = ctx.config;
  const home = pageIndex(ctx.store.current).byPermalink(lang, "/");
  return json({
    language_code: lang,
    languages: LANGUAGES.map(({ id, name }) => ({ id, name })),
    ...(url.searchParams.get("site_name") === "true" && {
      site_name: SITE_NAME ?? ((home && isPublic(home, lang, now) && home.translations[lang]?.title) || null),
    }),
  });
}

/** The former address of the list of pages. */
function pagesMoved({ url }: Call): Reply {
  return redirect(url.pathname.endsWith("/") ? "../pages/" : "pages/", 302);
}

/** Without paths and ids, since the endpoint is public; the log has them. */
const DAMAGED = "Objects of the newest commit are missing from the repository: see the log, and `git fsck`.";

/**
 * 200 once the content is loaded, with the numbers of problems in the tree and of templates that failed
 * when they were last used. While nothing can be written the status is `read-only`, with the reason; a server started
 * with `--read-only` is `ok`. 503 when objects of HEAD's commit are missing.
 */
export async function healthReply({ ctx }: Call): Promise<Reply> {
  const { commit, problems } = ctx.store.current;
  const sync = ctx.sync && { sync: publicPart(await ctx.sync.status()) };
  const shared = {
    ...{ commit, problems: problems.length, failing_templates: ctx.templates.failing.size },
    ...(ctx.env.hasStepped() && { clock: "stepped" }),
    ...sync,
  };
  const answer = (status: JsonObject, code = 200): Reply =>
    json({ ...status, ...shared }, code, { "cache-control": "no-store" });
  // Both wait for the disk behind the files of other answers: one after the other they would wait twice.
  const [isDamaged, reason] = await Promise.all([
    ctx.store.repo.findDamage(),
    ctx.store.isReadOnly ? null : blockedReason(ctx.store.repo),
  ]);
  if (isDamaged) return answer({ status: "damaged", advice: DAMAGED }, 503);
  return answer(reason === null ? { status: "ok" } : { status: "read-only", reason });
}

/**
 * 200 while requests can be answered, 503 with the reason while not: for load balancers and the start of containers. A
 * server listens only once its content is loaded. With `?writes` it is 503 while writes are refused, too, also under
 * `--read-only`: for a balancer that sends writes to one of several servers.
 */
export async function readyReply({ ctx, url }: Call): Promise<Reply> {
  const answer = (status: JsonObject, code: number): Reply => json(status, code, { "cache-control": "no-store" });
  if (await ctx.store.repo.findDamage()) return answer({ status: "damaged", reason: DAMAGED }, 503);
  const refusal = url.searchParams.has("writes")
    ? ctx.store.isReadOnly
      ? "The service runs read-only."
      : await blockedReason(ctx.store.repo)
    : null;
  if (refusal !== null) return answer({ status: "read-only", reason: refusal }, 503);
  return answer({ status: "ready", commit: ctx.store.current.commit }, 200);
}

/** Without addresses, branches and what git says, which `GET sync/` shows. */
const publicPart = ({ ahead, behind, last_success, last_error, failing_seconds }: SyncStatus): JsonObject => ({
  ...{ ahead, behind, last_success, failing_seconds },
  status: last_error === null ? "ok" : last_error.is_held ? "held" : "failing",
});

/** Why nothing can be written now; null when it can. */
async function blockedReason(repo: Repo): Promise<string | null> {
  try {
    return (await repo.state()).blocked;
  } catch (error) {
    if (error instanceof CmsError) return error.message;
    return "The repository cannot be read."; // the system's own message names paths
  }
}
