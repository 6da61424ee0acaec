/** What the sweep will do in a span of time, and where it will fail, found out on a fork of the content. */
import { SERVICE } from "../../actions/context.ts";
import { numberedPermalinks, type NumberedPermalink } from "../../actions/pages/numbered-permalinks.ts";
import { sweepDue } from "../../actions/pages/sweep.ts";
import { silentLog } from "../../env.ts";
import type { Instant } from "../../model/time/instant.ts";
import { nameOf, type Id } from "../../model/page/page.ts";
import type { Lang } from "../../model/language/locale.ts";
import type { Release } from "../../model/page/release.ts";
import { changedRecords } from "../../store/content/changes.ts";
import { PAGE_KINDS } from "../../store/content/indexes/pages-by-model.ts";
import { RELEASES } from "../../store/records/releases.ts";
import { scheduledChanges, type ScheduledChange } from "../../views/moments/schedule.ts";
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
  readonly numbered: readonly (NumberedPermalink & { readonly at: Instant })[];
}

/**
 * The changes after one moment, up to another one, the drafts and releases that cannot be published then, and the pages that
 * get a permalink with a number.
 */
export async function scheduleOf(ctx: SiteContext, from: Instant, to: Instant): Promise<Schedule> {
  const content = ctx.store.current;
  // What goes live before `from` decides what is taken then.
  const start = ctx.env.now() < from ? ctx.env.now() : from;
  const changes = await scheduledChanges(content, ctx.locales, start, to);
  const releases = content
    .all(RELEASES)
    .flatMap(({ name, publish_at: at, published_at: done, items }) =>
      at !== null && done === null && at > start && at <= to ? [{ at, name, items }] : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  let now = start;
  const env = { ...ctx.env, now: () => now, log: silentLog };
  const fork = { ...ctx, env, ...(await ctx.store.fork({ env })) };
  const conflicts: ScheduleConflict[] = [];
  const numbered: Schedule["numbered"][number][] = [];
  const told = new Set<string>();
  await sweepDue(fork, SERVICE, "Scheduled publish");
  // Each moment has its own sweep: of two drafts that claim one address, the earlier gets it.
  for (const moment of new Set([...changes, ...releases].map(({ at }) => at).sort())) {
    const before = { content: fork.store.current, now };
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
    const after = { content: fork.store.current, now };
    const written = changedRecords(before.content, after.content);
    const concerned = new Set([
      ...changes.flatMap(({ at, page }) => (at === moment ? [page] : [])),
      ...PAGE_KINDS.flatMap((kind) => [...(written.get(kind)?.keys() ?? [])]),
    ]);
    for (const each of numberedPermalinks(ctx.locales, before, after, concerned))
      numbered.push({ at: moment, ...each });
  }
  const isAsked = ({ at }: { readonly at: Instant }): boolean => at > from;
  return {
    changes: changes.filter(isAsked),
    releases: releases.filter(isAsked),
    conflicts: conflicts.filter(isAsked),
    numbered: numbered.filter(isAsked),
  };
}
