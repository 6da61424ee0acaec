/** Reads passwords and passphrases: from the flag, the environment, standard input, or the terminal. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { UsageError, type SiteOptions } from "./command.ts";
import { isInteractive, type Io } from "./terminal.ts";

export interface PasswordOption extends SiteOptions {
  readonly password?: string;
}

export const PASSWORD_HELP = "the password (default: CMS_PASSWORD, else standard input, else asked for)";

/** The new password of an account. @throws UsageError without one */
export const passwordFor = (io: Io, { password }: PasswordOption): Promise<string> =>
  secretFor(io, password ?? io.env.CMS_PASSWORD, { what: "password", isNew: true });

/** @param isNew whether it is asked for twice @throws UsageError without one */
export const passphraseFor = (
  io: Io,
  { passphrase }: { readonly passphrase?: string },
  { isNew }: { readonly isNew: boolean },
): Promise<string> => secretFor(io, passphrase ?? io.env.CMS_PASSPHRASE, { what: "passphrase", isNew });

interface Wanted {
  readonly what: "password" | "passphrase";
  readonly isNew: boolean;
}

/** Asks only on a terminal, so that a script never waits at a prompt. */
async function secretFor(io: Io, given: string | undefined, { what, isNew }: Wanted): Promise<string> {
  if (given) return given;
  if (!io.stdin.isTTY) {
    const piped = await readLine(io);
    if (piped) return piped;
  }
  if (!isInteractive(io)) {
    throw new UsageError(
      `There is no ${what}: give it with --${what}, in CMS_${what.toUpperCase()} or on standard input.`,
    );
  }
  const secret = await askHidden(io, `${what[0]!.toUpperCase()}${what.slice(1)}: `);
  if (isNew && (await askHidden(io, "The same again: ")) !== secret) throw new UsageError(`The two ${what}s differ.`);
  return secret;
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
