/** `cms backup` and `cms restore`: the private state in an encrypted file. */
import { readFile, writeFile } from "node:fs/promises";
import type { Command } from "commander";
import { audit } from "../../actions/accounts/auditing.ts";
import { CmsError } from "../../errors.ts";
import { stateDirOf } from "../../store/private/private-state.ts";
import { run, siteRoot, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { passphraseFor } from "../password.ts";
import { processIo, say, type Io } from "../terminal.ts";
import { accountsOf } from "./user.ts";

interface Flags extends SiteOptions {
  readonly passphrase?: string;
  readonly force?: boolean;
}

const PASSPHRASE_HELP = "the passphrase (default: CMS_PASSPHRASE, else standard input, else asked for)";
const PASSPHRASE_MIN = 12;

export function registerBackup(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("backup <file>"))
    .description("write accounts, tokens and what else is private into an encrypted file")
    .option("--passphrase <text>", PASSPHRASE_HELP)
    .action(run(io, (file: string, flags: Flags) => backUp(io, file, flags)));
  withSiteOptions(program.command("restore <file>"))
    .description("put the private state of a backup in place")
    .option("--passphrase <text>", PASSPHRASE_HELP)
    .option("--force", "replace the accounts that are there")
    .action(run(io, (file: string, flags: Flags) => restore(io, file, flags)));
}

async function backUp(io: Io, file: string, flags: Flags): Promise<void> {
  const { packBackup, readPrivateFiles } = await import("../../store/private/private-backup.ts");
  const files = await readPrivateFiles(stateDirOf(siteRoot(flags), io.env));
  if (!files.has("accounts.json")) throw new CmsError("not_found", "There are no accounts to back up.");
  const passphrase = await passphraseFor(io, flags, { isNew: true });
  if (passphrase.length < PASSPHRASE_MIN)
    throw new UsageError(`The passphrase is too short: it has at least ${PASSPHRASE_MIN} characters.`);
  // Another one of the same name may be the only one that is good.
  await writeFile(file, await packBackup(files, passphrase), { mode: 0o600, flag: "wx" });
  audit(accountsOf(io, flags), { event: "backed-up" });
  say(io, flags, `Backed up ${files.size} files of the private state. Without the passphrase they are lost.`);
}

async function restore(io: Io, file: string, flags: Flags): Promise<void> {
  const { unpackBackup, writePrivateFiles } = await import("../../store/private/private-backup.ts");
  const accounts = accountsOf(io, flags);
  if (!flags.force && (await accounts.store.list()).length > 0)
    throw new CmsError("conflict", "There are accounts here already: --force replaces them.");
  const bytes = await readFile(file);
  const files = await unpackBackup(bytes, await passphraseFor(io, flags, { isNew: false }));
  await writePrivateFiles(stateDirOf(siteRoot(flags), io.env), files);
  audit(accounts, { event: "restored" });
  say(
    io,
    flags,
    `Restored ${files.size} files of the private state: ${(await accounts.store.list()).length} accounts.`,
  );
}
