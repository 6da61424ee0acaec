/** What a server says when it is ready, and what it offers to the person who started it. */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { performance } from "node:perf_hooks";
import { addUser } from "../../actions/accounts/accounts.ts";
import type { Cms } from "../../cms.ts";
import type { Log } from "../../env.ts";
import { PROGRAM } from "../../version.ts";
import { isInteractive, paint, say, type Io } from "../terminal.ts";

interface Greeting {
  readonly quiet: boolean;
  readonly readOnly: boolean;
  readonly isDevelopment: boolean;
}

export async function announce(io: Io, flags: Greeting, cms: Cms, url: string): Promise<void> {
  const { branch, head, blocked } = await cms.store.repo.state();
  const { problems } = cms.store.current;
  const bold = (text: string): string => paint(io, io.stderr, "bold", text);
  const row = (name: string, value: string): void => say(io, flags, `  ➜ ${name.padEnd(9)}${value}`);
  // Measured from the start of the process, so it includes loading the program.
  say(io, flags, `\n  ${bold(PROGRAM.name)} ${PROGRAM.version}  ready in ${Math.round(performance.now())} ms\n`);
  const { BASE_PATH, ADMIN } = cms.config;
  const site = new URL(`${BASE_PATH}/`, url).href;
  row("Site", bold(site));
  if (ADMIN.ENABLE && !flags.readOnly) row("Editor", new URL(BASE_PATH + ADMIN.PATH, url).href);
  row("API", `${site}api/cms/`);
  row("Root", cms.root);
  row("Branch", `${branch ?? "(detached)"} at ${head?.slice(0, 10) ?? "no commit yet"}`);
  if (flags.readOnly) row("Writes", "refused (--read-only)");
  else if (blocked) row("Writes", `refused. ${blocked}`);
  if (problems.length > 0) row("Problems", `${problems.length}: run \`cms check\` to see them`);
  say(io, flags, "");
  if (flags.isDevelopment)
    say(io, flags, "  Pages reload in the browser when something changes. `--production` turns that off.\n");
}

/** On a terminal, a site without accounts gets one, so that a first try needs no manual. */
export async function welcome(io: Io, cms: Cms): Promise<void> {
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

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

export function openBrowser(url: string, log: Log): void {
  const [command = "", ...args] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...args, url], { stdio: "ignore", detached: true });
  opener.on("error", ({ message }) => log.warn(`No browser can be opened here: ${message}`));
  opener.unref();
}
