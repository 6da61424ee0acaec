/** `cms audit`: the audit log, newest first. */
import type { Command } from "commander";
import { AUDIT_EVENTS } from "../../model/account/audit.ts";
import { run, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, table, type Io } from "../terminal.ts";
import { accountsOf } from "./user.ts";

interface AuditOptions extends SiteOptions {
  readonly event?: string;
  readonly account?: string;
  readonly items: string;
  readonly json?: boolean;
}

export function registerAudit(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("audit"))
    .description("print sign-ins, refusals and changes of accounts, newest first")
    .option("--event <name>", "events of this name alone, such as signed-in or refused")
    .option("--account <name>", "what the account did, or what happened to it")
    .option("--items <count>", "how many at most", "100")
    .option("--json", "print them as a list")
    .action(run(io, (options: AuditOptions) => printAudit(io, options)));
}

async function printAudit(io: Io, options: AuditOptions): Promise<void> {
  const { event: name, account, items } = options;
  if (name !== undefined && !AUDIT_EVENTS.some((each) => each === name))
    throw new UsageError(`--event is one of ${AUDIT_EVENTS.join(", ")}.`);
  if (!/^[1-9]\d{0,5}$/.test(items)) throw new UsageError("--items is a number from 1 on.");
  const { auditLog, env } = accountsOf(io, options);
  const found = (await auditLog.list(env.now()))
    .filter(
      ({ event, by, about }) => (name ?? event) === event && (account === undefined || [by, about].includes(account)),
    )
    .slice(0, Number(items));
  if (options.json) return void io.stdout.write(`${JSON.stringify(found, null, 2)}\n`);
  if (found.length === 0) return say(io, options, "The audit log has no such event.");
  const rows = found.map(({ at, event, by, from, about, detail }) => [
    at,
    event,
    by ?? "",
    from ?? "",
    about ?? "",
    detail,
  ]);
  io.stdout.write(table(io, ["AT", "EVENT", "BY", "FROM", "ABOUT", "DETAIL"], rows));
}
