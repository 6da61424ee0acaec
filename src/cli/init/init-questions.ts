/** What `cms init` asks in a terminal. */
import { createInterface } from "node:readline";
import { UsageError } from "../command.ts";
import { starterNamed, STARTERS } from "./starters.ts";
import type { Io } from "../terminal.ts";

/** What a person can leave out on the command line. */
export interface InitAnswers {
  readonly dir?: string;
  readonly starter?: string;
  readonly languages?: string;
}

/** Asks for what is not given; Enter takes the default. @throws UsageError when the person breaks off, or names no starter */
export async function askForMissing(io: Io, given: InitAnswers): Promise<InitAnswers> {
  const reader = createInterface({ input: io.stdin, output: io.stderr, terminal: true, historySize: 0 });
  const brokenOff = new Promise<never>((_, giveUp) => {
    reader.once("SIGINT", () => reader.close());
    reader.once("close", () => giveUp(new UsageError("Broken off: nothing was written.")));
  });
  brokenOff.catch(() => undefined); // also closed at the end
  const ask = (question: string, standard: string): Promise<string> =>
    Promise.race([
      new Promise<string>((answer) => reader.question(`${question} [${standard}]: `, (text) => answer(text.trim()))),
      brokenOff,
    ]).then((text) => text || standard);
  try {
    const dir = given.dir ?? (await ask("Folder of the site", "my-site"));
    if (given.starter === undefined)
      for (const [name, { about }] of Object.entries(STARTERS)) io.stderr.write(`  ${name.padEnd(11)} ${about}\n`);
    const starter = given.starter ?? (await ask("Starter", "lighthouse"));
    if (given.starter === undefined) starterNamed(starter);
    const languages = given.languages ?? (await ask("Languages, separated by commas", "en,it"));
    return { dir, starter, languages };
  } finally {
    reader.close();
  }
}
