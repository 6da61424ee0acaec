/** `cms token`: the token of an account, as the only output on stdout, for scripts. */
import type { Command } from "commander";
import { issueToken } from "../../actions/accounts/sign-in.ts";
import { rotateToken } from "../../actions/accounts/accounts.ts";
import { CmsError } from "../../errors.ts";
import { run, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, type Io } from "../terminal.ts";
import { accountsOf, getByName } from "./user.ts";

export function registerToken(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("token <name>"))
    .description("print the token of an account, for `Authorization: Token ...`")
    .option("--rotate", "make a new one first, which revokes the previous one")
    .action(
      run(io, async (name: string, options: SiteOptions & { readonly rotate?: boolean }) => {
        const accounts = accountsOf(io, options);
        const account = await getByName(accounts, name);
        if (!account.is_active)
          throw new CmsError("forbidden", `${account.username} is not active: its token would open nothing.`);
        const current = options.rotate ? await rotateToken(accounts, account.id) : account;
        io.stdout.write(`${await issueToken(accounts, current)}\n`);
      }),
    );
}
