/** The `cms` command. */
import { runProgram } from "./command.ts";
import { createProgram } from "./program.ts";

// All output is written. Otherwise Node frees the heap first, which takes 2 % of the time of a large build.
process.once("beforeExit", (code) => process.exit(code));
await runProgram(createProgram(), process.argv.slice(2));
