/** `cms due`: whether time alone has made the built site old, for workflows that build at intervals. */
import { resolve } from "node:path";
import type { Command } from "commander";
import { systemEnv } from "../../env.ts";
import { instantOf, msOf } from "../../model/time/instant.ts";
import { run, siteRoot, spanOf, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, type Io } from "../terminal.ts";

interface Flags extends SiteOptions {
  readonly out: string;
  readonly before: string;
  readonly json?: boolean;
}

export function registerDue(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("due"))
    .description("tell whether a build is due because of the time: exit code 0 when it is, 1 when not, 2 for errors")
    .option("--out <dir>", "the output folder of the last build, relative to the site", "dist")
    .option("--before <span>", "what changes within this span is due, too: 30m, 1h, 2d", "0m")
    .option("--json", "print the answer as JSON")
    .action(run(io, (flags: Flags) => tellDue(io, flags), 2));
}

async function tellDue(io: Io, flags: Flags): Promise<number> {
  const [{ loadConfig }, { changeText, shownChange }, { readBuildState }] = await Promise.all([
    import("../../config.ts"),
    import("../../static-site/next-change.ts"),
    import("../../static-site/state/state-file.ts"),
  ]);
  const root = siteRoot(flags);
  const until = instantOf(msOf(systemEnv().now()) + spanOf("--before", flags.before));
  const state = readBuildState(resolve(root, flags.out));
  const { locales } = await loadConfig(root);
  const next = shownChange(state?.next_change ?? null, locales.timeZone);
  const due = !state || (state.next_change !== null && state.next_change.at <= until);
  if (flags.json) io.stdout.write(`${JSON.stringify({ due, next_change: next }, null, 2)}\n`);
  else if (!state) say(io, flags, `Due: ${flags.out} has no build of this version.`);
  else if (next) say(io, flags, `${due ? "Due" : "Not due"}: ${changeText(next)}`);
  else say(io, flags, "Not due: only an edit changes the site.");
  return due ? 0 : 1;
}
