/**
 * A public read of a path: what it leads to, after the page's due draft, if it has one, went live.
 */
import { SERVICE } from "../actions/context.ts";
import { publishDue } from "../actions/sweep.ts";
import { messageOf } from "../errors.ts";
import { isDue } from "../model/draft.ts";
import { resolveRoute, type RouteResult } from "../views/route.ts";
import type { View } from "../views/view.ts";
import type { Call } from "./route.ts";

/**
 * Resolves a path on the newest content. The first read of a page with a due draft applies it; readers at the same
 * moment wait for that one write and see its result (interface.md, States and transitions; decisions.md 23).
 *
 * A draft that cannot be applied is logged, and the read goes on with what is live. A page in the trash keeps its draft.
 *
 * @returns also the view to render with: newer than the call's own when a draft went live
 */
export async function readPublic(call: Call, path: string): Promise<{ route: RouteResult; view: View }> {
  const view = call.view("public");
  const route = resolveRoute(view, path);
  const page = route.kind === "page" ? route.page : route.kind === "missing" ? route.hidden : undefined;
  if (!page || page.deleted_at || !isDue(page.drafts[route.lang], call.now)) return { route, view: { ...view, lang: route.lang } };
  try {
    await publishDue(call.ctx, SERVICE, page.id, route.lang, "Auto-published on first read");
  } catch (error) {
    call.ctx.env.log.error(`The draft of page ${page.id} in ${route.lang} is due but cannot be published: ${messageOf(error)}`);
    return { route, view: { ...view, lang: route.lang } };
  }
  const fresh: View = { ...view, content: call.ctx.store.current, now: call.ctx.env.now() };
  const again = resolveRoute(fresh, path);
  return { route: again, view: { ...fresh, lang: again.lang } };
}
