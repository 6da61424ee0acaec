/** `cms publish-scheduled`: publishes every due draft. */
import type { Command } from "commander";
import { SERVICE } from "../actions/context.ts";
import type { DueDraft } from "../actions/sweep.ts";
import { nameOf } from "../model/page.ts";
import { systemEnv } from "../env.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "./command.ts";
import { processIo, say, type Io } from "./terminal.ts";

interface Flags extends SiteOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

export function registerPublishScheduled(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("publish-scheduled"))
    .description("publish every draft that is due")
    .option("--dry-run", "print what would be published, change nothing")
    .option("--json", "print the drafts as a list")
    .action(run(io, (flags: Flags) => publishScheduled(io, flags)));
}

async function publishScheduled(io: Io, flags: Flags): Promise<number> {
  const root = siteRoot(flags);
  const [{ openCms }, { dueDrafts, sweepDue }] = await Promise.all([
    import("../cms.ts"),
    import("../actions/sweep.ts"),
  ]);
  const cms = await openCms(root, { env: systemEnv(), readOnly: flags.dryRun });
  try {
    const { published, failed } = flags.dryRun
      ? { published: dueDrafts(cms), failed: [] }
      : await sweepDue(cms, SERVICE, "Scheduled publish");
    const facts = ({ page, lang }: DueDraft) => ({
      page: page.id,
      language: lang,
      title: nameOf(page, cms.locales),
      scheduled_for: page.drafts[lang]!.scheduled_for,
    });
    if (flags.json) {
      io.stdout.write(
        `${JSON.stringify({ published: published.map(facts), failed: failed.map((due) => ({ ...facts(due), reason: due.reason })) }, null, 2)}\n`,
      );
    } else {
      const verb = flags.dryRun ? "[dry-run] would publish" : "Published";
      for (const due of published)
        io.stdout.write(`${verb} Page pk=${due.page.id} [${due.lang}] -> ${nameOf(due.page, cms.locales)}\n`);
      if (published.length + failed.length === 0) say(io, flags, "No scheduled drafts to publish.");
    }
    return failed.length > 0 ? 1 : 0;
  } finally {
    await cms.close();
  }
}
