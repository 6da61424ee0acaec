/** Reads the password of an account: from the flag, the environment, standard input, or the terminal. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { UsageError, type SiteOptions } from "./command.ts";
import { isInteractive, type Io } from "./terminal.ts";

export interface PasswordOption extends SiteOptions {
  readonly password?: string;
}

export const PASSWORD_HELP = "the password (default: CMS_PASSWORD, else standard input, else asked for)";

/** Asks only on a terminal, so that a script never waits at a prompt. @throws UsageError without a password */
export async function passwordFor(io: Io, options: PasswordOption): Promise<string> {
  const given = options.password ?? io.env.CMS_PASSWORD;
  if (given) return given;
  if (!io.stdin.isTTY) {
    const piped = await readLine(io);
    if (piped) return piped;
  }
  if (!isInteractive(io)) {
    throw new UsageError("There is no password: give it with --password, in CMS_PASSWORD or on standard input.");
  }
  const password = await askHidden(io, "Password: ");
  if ((await askHidden(io, "The same again: ")) !== password) throw new UsageError("The two passwords differ.");
  return password;
}

/** The first line of standard input, without its line end; "" when there is none. */
async function readLine(io: Io): Promise<string> {
  let text = "";
  for await (const chunk of io.stdin) {
    text += String(chunk);
    if (text.includes("\n") || text.length > 64 * 1024) break;
  }
  return text.split(/\r?\n/)[0]!;
}

/** Asks on the terminal without echo. @throws UsageError when the user cancels */
async function askHidden(io: Io, question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: io.stdin, output: nowhere, terminal: true, historySize: 0 });
  const answered = new Promise<string>((answer, giveUp) => {
    reader.once("line", answer);
    reader.once("SIGINT", () => reader.close());
    reader.once("close", () => giveUp(new UsageError("Broken off.")));
  });
  io.stderr.write(question); // after the terminal stopped echoing
  try {
    return await answered;
  } finally {
    reader.close();
    io.stderr.write("\n");
  }
}
