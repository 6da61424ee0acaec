/** The `cms` command. Each subcommand registers itself; modules that only one of them needs are loaded when it runs. */
import { Command } from "commander";
import { PROGRAM } from "../version.ts";
import { registerBuild } from "./build.ts";
import { registerCheck } from "./check.ts";
import { runProgram } from "./command.ts";
import { registerConflicts } from "./conflicts.ts";
import { registerHooks } from "./hooks.ts";
import { registerInit } from "./init.ts";
import { registerManifest } from "./manifest.ts";
import { registerMergeDriver } from "./merge-driver.ts";
import { registerPublishScheduled } from "./publish-scheduled.ts";
import { registerRegenerateRenditions } from "./regenerate-renditions.ts";
import { registerSchemas } from "./schemas.ts";
import { registerServe } from "./serve.ts";
import { registerSetup } from "./setup.ts";
import { registerSync } from "./sync.ts";
import { registerToken } from "./token.ts";
import { registerTypes } from "./types.ts";
import { registerUser } from "./user.ts";

const program = new Command("cms")
  .description("A headless content service whose database is a git repository.")
  .version(PROGRAM.version)
  .showHelpAfterError("Run with --help to see what there is.");

for (const register of [
  registerInit,
  registerServe,
  registerUser,
  registerToken,
  registerPublishScheduled,
  registerBuild,
  registerRegenerateRenditions,
  registerCheck,
  registerManifest,
  registerSetup,
  registerMergeDriver,
  registerSync,
  registerConflicts,
  registerHooks,
  registerSchemas,
  registerTypes,
]) {
  register(program);
}

// All output is written. Otherwise Node frees the heap first, which takes 2 % of the time of a large build.
process.once("beforeExit", (code) => process.exit(code));
await runProgram(program, process.argv.slice(2));
