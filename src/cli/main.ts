/** The `cms` command. */
import { runProgram } from "./command.ts";
import { keepCodeBy } from "./compiled-code.ts";
import { createProgram } from "./program.ts";

/** Called by `bin/load.cjs`. @param keepCode see `keepCodeBy` */
export function run(keepCode: () => void): void {
  keepCodeBy(keepCode);
  // All output is written. Otherwise Node frees the heap first, which takes 2 % of the time of a large build.
  process.once("beforeExit", (code) => process.exit(code));
  // A reader such as `head` closes the pipe once it has seen enough; what is left is dropped.
  for (const stream of [process.stdout, process.stderr])
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  void runProgram(createProgram(), process.argv.slice(2));
}
