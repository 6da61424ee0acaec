/** `cms publish-scheduled`: publishes every due draft and release. */
import type { Command } from "commander";
import { SERVICE } from "../../actions/context.ts";
import type { DueDraft } from "../../actions/pages/sweep.ts";
import { nameOf } from "../../model/page/page.ts";
import type { Release } from "../../model/page/release.ts";
import { systemEnv } from "../../env.ts";
import { run, withSite, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface Flags extends SiteOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function registerPublishScheduled(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("publish-scheduled"))
    .description("publish every draft and release that is due")
    .option("--dry-run", "print what would be published, change nothing")
    .option("--json", "print the drafts and releases as lists")
    .action(run(io, (flags: Flags) => publishScheduled(io, flags)));
}

async function publishScheduled(io: Io, flags: Flags): Promise<number> {
  const [{ dueDrafts, sweepDue }, { dueReleases }] = await Promise.all([
    import("../../actions/pages/sweep.ts"),
    import("../../store/content/indexes/releases.ts"),
  ]);
  return withSite(flags, { env: systemEnv(), readOnly: flags.dryRun }, async (cms) => {
    const { published, failed, releases } = flags.dryRun
      ? {
          published: dueDrafts(cms),
          failed: [],
          releases: { published: dueReleases(cms.store.current, cms.env.now()), failed: [] },
        }
      : await sweepDue(cms, SERVICE, "Scheduled publish");
    const hasFailed = failed.length + releases.failed.length > 0;
    const facts = ({ page, lang }: DueDraft) => ({
      page: page.id,
      language: lang,
      title: nameOf(page, cms.locales),
      scheduled_for: page.drafts[lang]!.scheduled_for,
    });
    const factsOfRelease = ({ name, publish_at }: Release) => ({ name, publish_at });
    if (flags.json) {
      const lists = {
        published: published.map(facts),
        failed: failed.map((due) => ({ ...facts(due), reason: due.reason })),
        releases: {
          published: releases.published.map(factsOfRelease),
          failed: releases.failed.map(({ release, reason }) => ({ ...factsOfRelease(release), reason })),
        },
      };
      io.stdout.write(`${JSON.stringify(lists, null, 2)}\n`);
    } else {
      const verb = flags.dryRun ? "[dry-run] would publish" : "Published";
      for (const due of published)
        io.stdout.write(`${verb} Page pk=${due.page.id} [${due.lang}] -> ${nameOf(due.page, cms.locales)}\n`);
      for (const { name } of releases.published) io.stdout.write(`${verb} release ${name}\n`);
      if (published.length + releases.published.length === 0 && !hasFailed)
        say(io, flags, "No scheduled drafts to publish.");
    }
    return hasFailed ? 1 : 0;
  });
}
