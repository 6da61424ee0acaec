/** `cms completion`: the script with which a shell completes commands, flags and their values. */
import type { Command } from "commander";
import { run, UsageError } from "../command.ts";
import { SHELLS, type Shell } from "../completion/completion-scripts.ts";
import { completionsOf } from "../completion/completion-tree.ts";
import { processIo, type Io } from "../terminal.ts";

export function registerCompletion(program: Command, io: Io = processIo): void {
  program
    .command("completion <bash|zsh|fish>")
    .description("print a script that completes commands and flags in a shell")
    .action(
      run(io, async (shell: string) => {
        const script = Object.hasOwn(SHELLS, shell) ? SHELLS[shell as Shell] : undefined;
        if (!script) throw new UsageError(`There is no completion for "${shell}": bash, zsh and fish have one.`);
        io.stdout.write(script(completionsOf(program)));
      }),
    );
}
