/** `cms config`: the settings in effect, and where each value comes from. */
import type { Command } from "commander";
import type { ExplainedSetting } from "../../config.ts";
import { closest } from "../../model/input/closest.ts";
import { run, siteRoot, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, table, type Io } from "../terminal.ts";

interface Flags extends SiteOptions {
  readonly json?: boolean;
  readonly set?: boolean;
}

export function registerConfig(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("config [setting]"))
    .description("print the settings in effect, and where each value comes from")
    .option("--set", "only those that are not at their default")
    .option("--json", "print a list of { setting, value, from }")
    .action(run(io, (setting: string | undefined, flags: Flags) => printSettings(io, setting, flags)));
}

async function printSettings(io: Io, name: string | undefined, flags: Flags): Promise<void> {
  const { explainConfig } = await import("../../config.ts");
  const all = await explainConfig(siteRoot(flags));
  const wanted = selected(all, name).filter(({ from }) => !flags.set || from !== null);
  const rows = wanted.map((each) => ({ ...each, from: each.from ?? "default" }));
  if (flags.json) {
    const list = rows.map(({ path: setting, value, from }) => ({ setting, value, from }));
    io.stdout.write(`${JSON.stringify(list, null, 2)}\n`);
  } else {
    const lines = rows.map(({ path, value, from }) => [path, from, JSON.stringify(value)]);
    io.stdout.write(table(io, ["SETTING", "FROM", "VALUE"], lines));
  }
}

/** @param name of a setting or of a group; undefined for all @throws UsageError */
function selected(all: readonly ExplainedSetting[], name: string | undefined): readonly ExplainedSetting[] {
  if (name === undefined) return all;
  const found = all.filter(({ path }) => path === name || path.startsWith(`${name}.`));
  if (found.length > 0) return found;
  const near = closest(
    name,
    all.map(({ path }) => path),
  );
  throw new UsageError(`There is no setting ${name}.${near ? ` Did you mean ${near}?` : ""}`);
}
