/** All commands, each with its examples. Modules that only one of them needs are loaded when it runs. */
import { Command } from "commander";
import { PROGRAM } from "../version.ts";
import { registerAudit } from "./accounts/audit.ts";
import { registerBackup } from "./accounts/backup.ts";
import { registerBuild } from "./commands/build.ts";
import { registerCheck } from "./commands/check.ts";
import { registerCompletion } from "./commands/completion.ts";
import { registerConfig } from "./commands/config.ts";
import { registerConflicts } from "./commands/conflicts.ts";
import { registerDiff } from "./commands/diff.ts";
import { registerDue } from "./commands/due.ts";
import { examplesOf } from "./examples.ts";
import { registerHooks } from "./commands/hooks.ts";
import { registerImport } from "./commands/import.ts";
import { registerInit } from "./commands/init.ts";
import { registerManifest } from "./commands/manifest.ts";
import { registerMergeDriver } from "./merge/merge-driver.ts";
import { registerPublishScheduled } from "./commands/publish-scheduled.ts";
import { registerRegenerateRenditions } from "./commands/regenerate-renditions.ts";
import { registerSchemas, registerTypes } from "./commands/schemas.ts";
import { registerSearch } from "./commands/search.ts";
import { registerServe } from "./commands/serve.ts";
import { registerSetup } from "./commands/setup.ts";
import { registerSync } from "./commands/sync.ts";
import { registerToken } from "./accounts/token.ts";
import { registerUser } from "./accounts/user.ts";

const REGISTER: readonly ((program: Command) => void)[] = [
  registerInit,
  registerImport,
  registerServe,
  registerUser,
  registerToken,
  registerAudit,
  registerBackup,
  registerPublishScheduled,
  registerBuild,
  registerDue,
  registerRegenerateRenditions,
  registerCheck,
  registerConfig,
  registerManifest,
  registerSearch,
  registerDiff,
  registerSetup,
  registerMergeDriver,
  registerSync,
  registerConflicts,
  registerHooks,
  registerSchemas,
  registerTypes,
  registerCompletion,
];

export function createProgram(): Command {
  const program = new Command("cms")
    .description("A headless content service whose database is a git repository.")
    .version(PROGRAM.version)
    .showHelpAfterError("Run with --help to see what there is.");
  for (const register of REGISTER) register(program);
  for (const { command, name } of commandsOf(program)) {
    const examples = examplesOf(name);
    if (examples.length > 0) command.addHelpText("after", () => helpText(examples));
  }
  return program;
}

export interface NamedCommand {
  readonly command: Command;
  /** With the names of the commands it belongs to: `user add`. */
  readonly name: string;
}

/** Every command of a program that does something, in the order they were registered. */
export const commandsOf = (parent: Command, prefix = ""): readonly NamedCommand[] =>
  parent.commands.flatMap((command): readonly NamedCommand[] => {
    const name = prefix + command.name();
    return command.commands.length > 0 ? commandsOf(command, `${name} `) : [{ command, name }];
  });

function helpText(examples: ReturnType<typeof examplesOf>): string {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
