/** `cms serve`: its flags. `run-server.ts` does the work, and is loaded for this command only. */
import type { Command } from "commander";
import type { LogFormat } from "../../http/request/request-log.ts";
import { run, siteRoot, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import type { DevelopmentWishes } from "../serve/development-listener.ts";
import type { ServerOptions } from "../serve/run-server.ts";
import { isInteractive, processIo, type Io } from "../terminal.ts";

interface ServeFlags extends SiteOptions {
  readonly host: string;
  readonly port: string;
  readonly open?: boolean;
  readonly qr?: boolean;
  readonly https?: boolean;
  readonly readOnly?: boolean;
  readonly sync?: boolean;
  readonly every?: string;
  readonly dev?: boolean;
  readonly production?: boolean;
  readonly log?: string;
  /** True without a value. */
  readonly poll?: string | true;
}

export function registerServe(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("serve"))
    .description("serve the API and the pages, reloading what changes")
    .option("--host <address>", "address to listen on", "127.0.0.1")
    .option("--port <number>", "port to listen on", "8000")
    .option("--open", "show the site in a browser")
    .option("--qr", "show a QR code of the site's address for other devices (development, with --host)")
    .option("--https", "serve with a certificate made for it (development)")
    .option("--read-only", "refuse every write; with --sync: a replica, which follows the remote")
    .option("--sync", "exchange commits with a remote, on a timer and after each write")
    .option("--every <seconds>", "time between two syncs (default: 30)")
    .option("--dev", "reload pages in the browser and explain failures (default in a terminal)")
    .option("--production", "serve as to visitors, in a terminal too")
    .option("--poll [ms]", "look at every file so often, where the file system tells of no changes (default: 300)")
    .option(
      "--log <human|json>",
      "log each response and everything else as lines to read or as JSON (default in a terminal: human)",
    )
    .action(
      run(io, async (flags: ServeFlags) => {
        const options = readFlags(io, flags);
        const { runServer } = await import("../serve/run-server.ts");
        return runServer(io, options);
      }),
    );
}

function readFlags(io: Io, flags: ServeFlags): ServerOptions {
  const { host, open = false, readOnly = false, quiet = false } = flags;
  const isDevelopment = readMode(io, flags);
  return {
    ...{ host, open, readOnly, quiet, isDevelopment },
    port: readPort(flags.port),
    listener: readListener(flags, isDevelopment),
    format: readFormat(io, flags),
    sync: readSync(flags),
    poll: readPoll(flags),
    root: siteRoot(flags),
  };
}

/** @returns whether the site is served to a person who works on it */
function readMode(io: Io, { dev, production }: ServeFlags): boolean {
  if (dev && production) throw new UsageError("--dev and --production exclude each other.");
  return dev ?? (!production && isInteractive(io));
}

const LOOPBACK = /^(?:127\.|::1$|localhost$)/;

/** @returns undefined where Node's own listener does */
function readListener(
  { qr = false, https = false, host }: ServeFlags,
  isDevelopment: boolean,
): DevelopmentWishes | undefined {
  const [asked] = Object.entries({ qr, https }).find(([, isAsked]) => isAsked) ?? [];
  if (asked === undefined) return undefined;
  if (!isDevelopment) throw new UsageError(`--${asked} is for development: add --dev.`);
  const isPublic = !LOOPBACK.test(host);
  if (qr && !isPublic)
    throw new UsageError("--qr needs --host with an address that other devices reach, such as 0.0.0.0.");
  return { qr, https, isPublic };
}

/** @returns undefined when responses are not logged */
function readFormat(io: Io, { log }: ServeFlags): LogFormat | undefined {
  if (log !== undefined && log !== "human" && log !== "json")
    throw new UsageError(`--log takes human or json, not "${log}".`);
  return log ?? (isInteractive(io) ? "human" : undefined);
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new UsageError(`--port takes a number from 0 to 65535, not "${text}".`);
  return port;
}

/** In milliseconds. */
const POLL = { default: 300, min: 50, max: 60_000 };

/** @returns undefined where the file system is relied upon */
function readPoll({ poll }: ServeFlags): number | undefined {
  if (poll === undefined || poll === true) return poll && POLL.default;
  const ms = Number(poll);
  if (/^\d{1,5}$/.test(poll) && ms >= POLL.min && ms <= POLL.max) return ms;
  throw new UsageError(`--poll takes a number of milliseconds from ${POLL.min} to ${POLL.max}, not "${poll}".`);
}

const SECONDS_MAX = 86_400;

/** @returns undefined without `--sync` */
function readSync({ sync, every }: ServeFlags): ServerOptions["sync"] {
  if (every === undefined) return sync ? {} : undefined;
  if (!sync) throw new UsageError("--every belongs to --sync.");
  const seconds = Number(every);
  if (/^\d{1,5}$/.test(every) && seconds >= 1 && seconds <= SECONDS_MAX) return { seconds };
  throw new UsageError(`--every takes a number of seconds from 1 to ${SECONDS_MAX}, not "${every}".`);
}
