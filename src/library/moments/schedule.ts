/** What the sweep will do in a span of time, and where it will fail, found out on a fork of the content. */
import { SERVICE } from "../../actions/context.ts";
import { sweepDue } from "../../actions/sweep.ts";
import { silentLog } from "../../env.ts";
import type { Instant } from "../../model/instant.ts";
import { nameOf, type Id } from "../../model/page.ts";
import type { Lang } from "../../model/locale.ts";
import type { Release } from "../../model/release.ts";
import { RELEASES } from "../../store/content/records/releases.ts";
import { scheduledChanges, type ScheduledChange } from "../../views/schedule.ts";
import type { SiteContext } from "../context.ts";

export interface ScheduleConflict {
  readonly at: Instant;
  /** null with `language` for a release, whose name is the title. */
  readonly page: Id | null;
  readonly title: string;
  readonly language: Lang | null;
  readonly reason: string;
}

export interface Schedule {
  readonly changes: readonly ScheduledChange[];
  readonly releases: readonly { readonly at: Instant; readonly name: string; readonly items: Release["items"] }[];
  readonly conflicts: readonly ScheduleConflict[];
}

/** The changes after one moment, up to another one, and the drafts that cannot be published then. */
export async function scheduleOf(ctx: SiteContext, from: Instant, to: Instant): Promise<Schedule> {
  const content = ctx.store.current;
  const changes = await scheduledChanges(content, ctx.locales, from, to);
  const releases = content
    .all(RELEASES)
    .flatMap(({ name, publish_at: at, published_at: done, items }) =>
      at !== null && done === null && at > from && at <= to ? [{ at, name, items }] : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  const drafts = changes.filter(({ change }) => change === "draft");
  let now = from;
  const env = { ...ctx.env, now: () => now, log: silentLog };
  const fork = { ...ctx, env, ...(await ctx.store.fork({ env })) };
  const conflicts: ScheduleConflict[] = [];
  const told = new Set<string>();
  // Each moment has its own sweep: of two drafts that claim one address, the earlier gets it.
  for (const moment of new Set([...drafts, ...releases].map(({ at }) => at).sort())) {
    now = moment;
    const { failed, releases: ofReleases } = await sweepDue(fork, SERVICE, "Scheduled publish");
    for (const { release, reason } of ofReleases.failed) {
      if (release.publish_at !== moment) continue;
      conflicts.push({ at: moment, page: null, title: release.name, language: null, reason });
    }
    for (const { page, lang, reason } of failed) {
      const key = `${page.id} ${lang}`;
      if (told.has(key) || page.drafts[lang]?.scheduled_for !== moment) continue;
      told.add(key);
      const title = nameOf(page, ctx.locales);
      conflicts.push({ at: moment, page: page.id, title, language: lang, reason });
    }
  }
  return { changes, releases, conflicts };
}
