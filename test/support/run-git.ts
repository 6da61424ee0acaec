/**
 * git, run by a shell that stays.
 *
 * A process is forked with its page tables, which takes tens of milliseconds of a test process of hundreds of megabytes,
 * and one of a shell. Tests run thousands of git processes.
 */
import { execFileSync, spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface GitCall {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** By default empty. */
  readonly input?: string | Uint8Array;
}

interface Shell {
  /** What the commands read and print. */
  readonly files: { readonly input: string; readonly out: string; readonly err: string };
  /** Runs a command to its end. @returns its exit code */
  run(command: string): number;
}

let shell: Shell | undefined;

/** @returns what git printed @throws an error as that of `execFileSync`, where it fails */
export function gitBytes(args: readonly string[], { cwd, env, input = "" }: GitCall): Buffer {
  const { files, run } = (shell ??= startShell());
  writeFileSync(files.input, input);
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const command = ["env", "-i", ...variables, "git", ...args].map(quoted).join(" ");
  const { input: from, out, err } = files;
  // The shell has that of its start, and tests set others.
  const umask = process.umask().toString(8);
  const status = run(
    `(umask ${umask} && cd ${quoted(cwd)} && exec ${command}) <'${from}' >'${out}' 2>'${err}'; echo $?\n`,
  );
  const stdout = readFileSync(out);
  if (status === 0) return stdout;
  const stderr = readFileSync(err, "utf8");
  throw Object.assign(new Error(`Command failed: git ${args.join(" ")}\n${stderr}`), {
    status,
    stdout: stdout.toString(),
    stderr,
  });
}

/** The same as text. */
export const runGit = (args: readonly string[], call: GitCall): string => gitBytes(args, call).toString();

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** It ends with this process, however that ends, since its input ends then; and removes its folder. */
function startShell(): Shell {
  const folder = mkdtempSync(join(tmpdir(), "cms-shell-"));
  const [commands, codes] = [join(folder, "commands"), join(folder, "codes")];
  execFileSync("mkfifo", [commands, codes]);
  // Opened for both first: neither end of a pipe can be opened alone before the other is.
  const toShell = openSync(commands, "r+");
  const both = openSync(codes, "r+");
  const fromShell = openSync(codes, "r");
  const [stdin, stdout] = [openSync(commands, "r"), openSync(codes, "w")];
  spawn("sh", ["-c", `sh; rm -rf '${folder}'`], { stdio: [stdin, stdout, "ignore"] }).unref();
  for (const fd of [both, stdin, stdout]) closeSync(fd);
  const bytes = Buffer.alloc(16);
  return {
    files: { input: join(folder, "in"), out: join(folder, "out"), err: join(folder, "err") },
    run(command) {
      writeSync(toShell, command);
      const length = readSync(fromShell, bytes);
      if (length === 0) throw new Error("The shell that runs git has ended.");
      return Number(bytes.toString("latin1", 0, length));
    },
  };
}
