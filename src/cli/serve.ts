/** `cms serve`: the API and the pages, until interrupted. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import type { Command } from "commander";
import { addUser } from "../actions/accounts.ts";
import type { Cms } from "../cms.ts";
import { stderrLog, systemEnv, type Log } from "../env.ts";
import { PROGRAM } from "../version.ts";
import {
  isInteractive,
  paint,
  processIo,
  run,
  say,
  siteRoot,
  UsageError,
  withSiteOptions,
  type Io,
  type SiteOptions,
} from "./command.ts";

interface ServeFlags extends SiteOptions {
  readonly host: string;
  readonly port: string;
  readonly open?: boolean;
  readonly readOnly?: boolean;
}

export function registerServe(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("serve"))
    .description("serve the API and the pages, reloading what changes")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", "8000")
    .option("--open", "show the site in a browser")
    .option("--read-only", "refuse every write")
    .action(run(io, (flags: ServeFlags) => serve(io, flags)));
}

/** In milliseconds: a stop that takes longer says what it waits for. */
const STOP_NOTICE = 500;

async function serve(io: Io, flags: ServeFlags): Promise<number> {
  const port = readPort(flags.port);
  const root = siteRoot(flags);
  const [
    { openCms },
    { h3App },
    { directReads },
    { openMetrics },
    { serveApp },
    { watch },
    { ensureMissingDerivatives },
  ] = await Promise.all([
    import("../cms.ts"),
    import("../http/app.ts"),
    import("../http/direct.ts"),
    import("../http/metrics.ts"),
    import("../http/serve.ts"),
    import("../store/content/watch.ts"),
    import("../actions/media/regenerate.ts"),
  ]);
  const cms = await openCms(root, { env: systemEnv(stderrLog), readOnly: flags.readOnly, serves: true });
  const metrics = openMetrics();
  const background = new AbortController();
  let stopWatching, serving, delayed: NodeJS.Timeout | undefined;
  try {
    await welcome(io, cms);
    stopWatching = watch({ store: cms.store, log: cms.env.log, onTemplates: () => cms.templates.reset() });
    // From here on an uncaught exception ends the process, but not during a write.
    const defect = firstDefect(cms.env.log);
    serving = await serveApp(h3App(cms, metrics), {
      direct: directReads(cms, metrics),
      host: flags.host,
      port,
      env: cms.env,
      trustedProxies: cms.config.TRUSTED_PROXIES,
      metrics,
    });
    await announce(io, flags, cms, serving.url);
    if (!flags.readOnly) void ensureMissingDerivatives(cms, background.signal);
    if (flags.open) openBrowser(serving.url, cms.env.log);
    const code = await Promise.race([interrupted(), defect]);
    say(io, flags, "\nStopping.");
    delayed = setTimeout(() => say(io, flags, "Running requests are finished first."), STOP_NOTICE);
    return code;
  } finally {
    background.abort();
    await serving?.close();
    metrics.close();
    await stopWatching?.();
    await cms.close();
    clearTimeout(delayed);
  }
}

async function announce(io: Io, flags: ServeFlags, cms: Cms, url: string): Promise<void> {
  const { branch, head, blocked } = await cms.store.repo.state();
  const { problems } = cms.store.current;
  const bold = (text: string): string => paint(io, io.stderr, "bold", text);
  const row = (name: string, value: string): void => say(io, flags, `  ➜ ${name.padEnd(9)}${value}`);
  // Measured from the start of the process, so it includes loading the program.
  say(io, flags, `\n  ${bold(PROGRAM.name)} ${PROGRAM.version}  ready in ${Math.round(performance.now())} ms\n`);
  row("Site", bold(url));
  row("API", `${url}api/cms/`);
  row("Root", cms.root);
  row("Branch", `${branch ?? "(detached)"} at ${head?.slice(0, 10) ?? "no commit yet"}`);
  if (flags.readOnly) row("Writes", "refused (--read-only)");
  else if (blocked) row("Writes", `refused. ${blocked}`);
  if (problems.length > 0) row("Problems", `${problems.length}: run \`cms check\` to see them`);
  say(io, flags, "");
}

/** On a terminal, a site without accounts gets one, so that a first try needs no manual. */
async function welcome(io: Io, cms: Cms): Promise<void> {
  if (
    !isInteractive(io) ||
    cms.store.isReadOnly ||
    (await cms.store.repo.state()).blocked !== null ||
    (await cms.accounts.store.list()).length > 0
  )
    return;
  const password = randomBytes(12).toString("base64url");
  await addUser(cms.accounts, { username: "admin", password, is_staff: true, is_superuser: true });
  io.stderr.write(
    `\n  There was no account yet. This one was created; its password is not shown again:\n\n    admin  ${password}\n`,
  );
}

/** Resolves with exit code 0 on the first signal. A second one ends the process at once. */
function interrupted(): Promise<number> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve(0));
  });
}

/** Milliseconds for running writes and answers after an uncaught exception. */
const LAST_WORK = 20_000;

/**
 * Resolves with exit code 1 on the first uncaught exception. The state of the process is unknown after it, so the process
 * ends when running writes are done, for a supervisor to start again.
 */
function firstDefect(log: Log): Promise<number> {
  // A closed pipe on stdout or stderr is no reason to stop.
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
  return new Promise((resolve) => {
    const end = (error: unknown): void => {
      log.error("A defect of the program outside of any request: the process ends and has to be started again", error);
      setTimeout(() => process.exit(1), LAST_WORK).unref();
      resolve(1);
    };
    process.on("uncaughtException", end);
    process.on("unhandledRejection", end);
  });
}

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

function openBrowser(url: string, log: Log): void {
  const [command = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.on("error", ({ message }) => log.warn(`No browser can be opened here: ${message}`));
  opener.unref();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}
