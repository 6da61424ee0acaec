/** The site as an account has it: what it may not view is absent, and what it may not do is refused. */
import type { Principal } from "../model/access/role-rights.ts";
import { isJudged, judgedStore } from "../store/access/judged-store.ts";
import type { SiteContext } from "./context.ts";

/** @param principal asked each time, since rights may change during a request */
export const judgedSite = (ctx: SiteContext, principal: () => Principal): SiteContext => ({
  ...ctx,
  store: judgedStore(ctx.store, { principal, live: ctx.live.store, locales: ctx.live.locales }),
});

/** As `judgedSite`; the site itself for an account of which permissions say what it may. */
export const siteFor = (ctx: SiteContext, principal: () => Principal): SiteContext =>
  isJudged(principal()) && !ctx.store.narrowing ? judgedSite(ctx, principal) : ctx;
