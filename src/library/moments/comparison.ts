/** What differs between the site at two revisions, or between one and the present content. */
import { compareAll, type Comparison } from "../../views/moments/compare.ts";
import type { SnapshotView } from "../../views/manifest/page-hashes.ts";
import type { SiteContext } from "../context.ts";
import { siteAt } from "./other-sites.ts";

/**
 * @param from a commit, tag, branch or moment
 * @param to as `from`; null: the present content
 * @throws CmsError `not_found` with the reason
 */
export async function compareRevisions(ctx: SiteContext, from: string, to: string | null): Promise<Comparison> {
  const after = to === null ? ctx : await siteAt(ctx, to);
  return compareAll(viewOf(await siteAt(ctx, from)), viewOf(after), ctx.store.kinds);
}

const viewOf = ({ config, locales, store, env }: SiteContext): SnapshotView => ({
  ...{ config, locales, content: store.current, now: env.now() },
  ...{ lang: locales.default, surface: "public", origin: "" },
});
