/** `cms setup`: makes `git merge` in this clone merge content by field, and tells what the clone lacks. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { CmsError, messageOf } from "../../errors.ts";
import { isGitMissing } from "../../store/git/command.ts";
import { setUpMerge } from "../merge/merge-setup.ts";
import { cloneLacks } from "../clone-lacks.ts";
import { run, siteRoot, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

export function registerSetup(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("setup"))
    .description("make `git merge` and `git pull` in this clone merge content by field; tell what the clone lacks")
    .option("--pre-receive", "write a hook that judges what is pushed to this repository, which may be bare")
    .action(
      run(io, async (flags: SiteOptions & { readonly preReceive?: boolean }) => {
        if (!flags.preReceive) return setup(io, flags);
        const { writePreReceive } = await import("../push/pre-receive.ts");
        const file = await writePreReceive(siteRoot(flags));
        say(io, flags, `Wrote ${file}: what is pushed is judged by the roles of the site.`);
      }),
    );
}

async function setup(io: Io, flags: SiteOptions): Promise<void> {
  const root = siteRoot(flags);
  if (!existsSync(join(root, ".git")))
    throw new CmsError("conflict", `${root} is no git repository: run this command in a clone of the site.`);
  try {
    const { attributes, driver } = await setUpMerge(root, { attributes: "shared", replaces: true });
    say(
      io,
      flags,
      attributes === null
        ? ".gitattributes names the merge driver already."
        : `${attributes} names the merge driver for content now: commit it, so that every clone has it.`,
    );
    say(io, flags, driver ? "Set merge.cms.driver in .git/config." : "merge.cms.driver is set already.");
    const lacks = await cloneLacks(root).catch((error: unknown) => [
      `Nothing is known yet, since the site cannot be opened: ${messageOf(error)}`,
    ]);
    if (lacks.length === 0) say(io, flags, "This clone lacks nothing.");
    else say(io, flags, ["This clone lacks:", ...lacks.map((lack) => `- ${lack}`)].join("\n"));
  } catch (error) {
    if (!isGitMissing(error)) throw error;
    throw new CmsError("unavailable", "There is no `git` command here: install git, then run `cms setup` again.", {
      cause: error,
    });
  }
}
