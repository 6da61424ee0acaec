/** A public read of a path: its route, after due releases and the due draft of the page were published. */
import { derived } from "../memo.ts";
import { SERVICE } from "../actions/context.ts";
import { publishDue, sweepDue } from "../actions/pages/sweep.ts";
import { CmsError, messageOf } from "../errors.ts";
import { isDue } from "../model/page/draft.ts";
import type { Instant } from "../model/time/instant.ts";
import { isPublic } from "../model/page/lifecycle.ts";
import { encodePath, type Lang } from "../model/language/locale.ts";
import type { Page } from "../model/page/page.ts";
import { findPage } from "../store/content/indexes/pages-by-model.ts";
import { dueReleaseCount } from "../store/content/indexes/releases.ts";
import type { Snapshot } from "../store/snapshot.ts";
import { resolveRoute, type RouteResult } from "../views/page/route.ts";
import { routerlink, type View } from "../views/view.ts";
import type { SiteContext } from "./context.ts";

/** What was tried to publish on a content. */
interface Tried {
  /** Due drafts that could not be published. */
  readonly failures: Set<string>;
  /** How many due releases failed. They would fail again until the content changes. */
  failedReleases: number;
  /** The sweep that readers wait for. */
  sweep?: Promise<void> | undefined;
}

const triedOn = derived((_content: Snapshot): Tried => ({ failures: new Set(), failedReleases: 0 }));

export interface PublicRead {
  readonly route: RouteResult;
  /** The view to render with: of the route's language, and newer than the given one when a draft was published. */
  readonly view: View;
  /** The content of the view, for which an answer made with it may be cached. */
  readonly content: Snapshot;
  /** False when the next reader would get another answer, so it must not be cached. */
  readonly isCacheable: boolean;
}

/**
 * Resolves a path. The first read of a page with a due draft publishes it; readers at the same moment wait for that one
 * write and see its result.
 *
 * A draft that cannot be published is logged, and the live page is served. A page in the trash keeps its draft. A draft
 * that renames the page: a reader of its canonical path still gets the page, under its new path, and only later readers
 * are redirected.
 *
 * @param view of the newest content, with the surface `public`
 */
export const readPublic = (ctx: SiteContext, view: ContentView, path: string): PublicRead | Promise<PublicRead> =>
  hasDueReleases(ctx, view)
    ? afterDueReleases(ctx, view).then((swept) => readPath(ctx, swept, path))
    : readPath(ctx, view, path);

function readPath(ctx: SiteContext, view: ContentView, path: string): PublicRead | Promise<PublicRead> {
  const { content, now } = view;
  const route = resolveRoute(view, path);
  const read = (isCacheable: boolean): PublicRead => ({
    route,
    view: { ...view, lang: route.lang },
    content,
    isCacheable,
  });
  const page = dueIn(route, now);
  if (!page) return read(true);
  if (ctx.store.isReadOnly || triedOn(content).failures.has(failureOf(page, route.lang))) return read(false);
  return publishFirst(ctx, view, path, page, route.lang).then((published) => published ?? read(false));
}

const failureOf = (page: Page, lang: Lang): string => `${page.id} ${lang}`;

/** @returns undefined where the draft cannot be published */
async function publishFirst(
  ctx: SiteContext,
  view: ContentView,
  path: string,
  page: Page,
  lang: Lang,
): Promise<PublicRead | undefined> {
  let published: Snapshot;
  const wasItsPath = encodePath(path) === routerlink(view, page, lang);
  try {
    published = (await publishDue(ctx, SERVICE, page.id, lang, "Auto-published on first read")).snapshot;
  } catch (error) {
    // An invalid draft stays invalid until the content changes; a refusal to write at all may pass at any moment.
    const isLasting = !(error instanceof CmsError && error.code === "unavailable" && error.retryAfter !== undefined);
    if (isLasting)
      for (const failure of [...triedOn(view.content).failures, failureOf(page, lang)])
        triedOn(ctx.store.current).failures.add(failure);
    ctx.env.log.error(`The draft of page ${page.id} in ${lang} is due but cannot be published: ${messageOf(error)}`);
    return undefined;
  }
  const fresh: View = { ...view, lang, content: published, now: ctx.env.now() };
  const again = resolveRoute(fresh, path);
  const renamed = wasItsPath && again.kind === "redirect" ? findPage(fresh.content, page.id) : undefined;
  const isShown = renamed !== undefined && isPublic(renamed, lang, fresh.now);
  const route: RouteResult = isShown ? { kind: "page", page: renamed, lang } : again;
  return { route, view: fresh, content: published, isCacheable: !isShown };
}

/**
 * The page of a route, if its draft is due. A path that is not canonical reads the page as well (draft
 * first, then gate, then form).
 */
function dueIn(route: RouteResult, now: Instant): Page | undefined {
  const page = route.kind === "missing" ? route.hidden : route.page;
  return page && !page.deleted_at && isDue(page.drafts[route.lang], now) ? page : undefined;
}

type ContentView = View & { readonly content: Snapshot };

/** The view after the due releases were published; the given one where they cannot be published. */
async function afterDueReleases(ctx: SiteContext, view: ContentView): Promise<ContentView> {
  const { content } = view;
  const tried = triedOn(content);
  await (tried.sweep ??= sweepForReaders(ctx).finally(() => (tried.sweep = undefined)));
  const { current } = ctx.store;
  return current === content ? view : { ...view, content: current, now: ctx.env.now() };
}

/** Whether releases are due that can be published. */
const hasDueReleases = ({ store }: SiteContext, { content, now }: ContentView): boolean =>
  !store.isReadOnly && dueReleaseCount(content, now).due > triedOn(content).failedReleases;

async function sweepForReaders(ctx: SiteContext): Promise<void> {
  try {
    const { releases } = await sweepDue(ctx, SERVICE, "Auto-published on first read");
    triedOn(ctx.store.current).failedReleases = releases.failed.length;
  } catch (error) {
    const isPassing = error instanceof CmsError && error.code === "unavailable" && error.retryAfter !== undefined;
    const { current } = ctx.store;
    if (!isPassing) triedOn(current).failedReleases = dueReleaseCount(current, ctx.env.now()).due;
    ctx.env.log.error(`Releases are due but cannot be published: ${messageOf(error)}`);
  }
}
