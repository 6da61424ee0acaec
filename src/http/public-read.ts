/**
 * A public read of a path: what it leads to, after the page's due draft, if it has one, went live.
 */
import { SERVICE } from "../actions/context.ts";
import { publishDue } from "../actions/sweep.ts";
import { CmsError, messageOf } from "../errors.ts";
import { isDue } from "../model/draft.ts";
import { isPublic } from "../model/lifecycle.ts";
import { encodePath } from "../model/locale.ts";
import { findPage } from "../store/content/indexes/page-models.ts";
import type { Snapshot } from "../store/content/snapshot.ts";
import { resolveRoute, type RouteResult } from "../views/route.ts";
import { routerlink, type View } from "../views/view.ts";
import type { Call } from "./route.ts";

/** Due drafts that could not go live, by the content on which that was tried. */
const FAILURES = new WeakMap<Snapshot, Set<string>>();

/** What a path leads to. */
export interface PublicRead {
  readonly route: RouteResult;
  /** To render with; newer than the call's own when a draft went live. */
  readonly view: View;
  /** What the view sees: an answer made with it holds for this content, and may be remembered for no other. */
  readonly content: Snapshot;
  /** False for an answer that would be another for the next reader, so nothing may keep it. */
  readonly lasts: boolean;
}

/**
 * Resolves a path on the newest content. The first read of a page with a due draft applies it; readers at the same
 * moment wait for that one write and see its result (interface.md, States and transitions; decisions.md 23).
 *
 * A draft that cannot be applied is logged, and the read goes on with what is live. A page in the trash keeps its draft.
 * A draft that renames the page: who asked for its canonical path still gets the page, now under its new one, and only
 * later readers are redirected (contract.md 7.6).
 */
export async function readPublic(call: Call, path: string): Promise<PublicRead> {
  const current = call.ctx.store.current;
  const view = call.view("public", { content: current });
  const route = resolveRoute(view, path);
  // A path that is not canonical reads the page as well (contract.md 8.1: draft first, then gate, then form).
  const page = route.kind === "missing" ? route.hidden : route.page;
  if (!page || page.deleted_at || !isDue(page.drafts[route.lang], call.now))
    return { route, view: { ...view, lang: route.lang }, content: current, lasts: true };
  const failure = `${page.id} ${route.lang}`;
  const failures = FAILURES.get(current) ?? new Set<string>();
  if (failures.has(failure)) return { route, view: { ...view, lang: route.lang }, content: current, lasts: false };
  let content: Snapshot;
  const wasItsPath = encodePath(path) === routerlink(view, page, route.lang);
  try {
    content = (await publishDue(call.ctx, SERVICE, page.id, route.lang, "Auto-published on first read")).snapshot;
  } catch (error) {
    // One that does not fit will not fit the next reader either, until the content is another. What was in the way of
    // writing at all may be gone at once.
    const isLasting = !(error instanceof CmsError && error.code === "unavailable" && error.retryAfter !== undefined);
    if (isLasting) FAILURES.set(call.ctx.store.current, failures.add(failure));
    call.ctx.env.log.error(
      `The draft of page ${page.id} in ${route.lang} is due but cannot be published: ${messageOf(error)}`,
    );
    return { route, view: { ...view, lang: route.lang }, content: current, lasts: false };
  }
  const fresh: View = { ...view, lang: route.lang, content, now: call.ctx.env.now() };
  const again = resolveRoute(fresh, path);
  const renamed = wasItsPath && again.kind === "redirect" ? findPage(fresh.content, page.id) : undefined;
  if (!renamed || !isPublic(renamed, route.lang, fresh.now)) return { route: again, view: fresh, content, lasts: true };
  return { route: { kind: "page", page: renamed, lang: route.lang }, view: fresh, content, lasts: false };
}
