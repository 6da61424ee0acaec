/** `cms user`: the accounts of one site. A running server sees the changes at once. */
import type { Command } from "commander";
import {
  addUser,
  openAccounts,
  removeProofs,
  removeUser,
  rotateToken,
  setPassword,
  type Accounts,
} from "../../actions/accounts/accounts.ts";
import type { HashCost } from "../../actions/accounts/password-hashes.ts";
import { stderrLog, systemEnv } from "../../env.ts";
import { CmsError } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import { roleErrors } from "../../model/account/user-input.ts";
import { rolesIn } from "../../store/records/people/roles.ts";
import { stateDirOf } from "../../store/private/private-state.ts";
import { collect, run, siteRoot, withSite, withSiteOptions, type SiteOptions } from "../command.ts";
import { PASSWORD_HELP, passwordFor, type PasswordOption } from "../password.ts";
import { processIo, say, table, type Io } from "../terminal.ts";

interface AddOptions extends PasswordOption {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly staff?: boolean;
  readonly superuser?: boolean;
  readonly role?: readonly string[];
}

/** @param cost of hashing; lower only for tests */
export function registerUser(program: Command, io: Io = processIo, cost?: HashCost): void {
  const user = program.command("user").description("accounts: add, list, change the password, reset, remove");
  for (const register of [registerAdd, registerList, registerPasswd, registerReset, registerRemove])
    register(user, io, cost);
}

function registerAdd(user: Command, io: Io, cost?: HashCost): void {
  withSiteOptions(user.command("add <name>"))
    .description("add an account")
    .option("--password <password>", PASSWORD_HELP)
    .option("--email <address>", "the author's address of commits")
    .option("--first-name <name>", "shown to colleagues, and in commits")
    .option("--last-name <name>", "likewise")
    .option("--staff", "may edit content")
    .option("--superuser", "may do everything, staff included")
    .option("--role <name>", "has a role of the site, such as author; may be repeated", collect)
    .action(
      run(io, async (name: string, options: AddOptions) => {
        const accounts = accountsOf(io, options, cost);
        if (await accounts.store.findByName(name))
          throw new CmsError("conflict", `There is an account named ${name} already.`);
        const roles = options.role ?? [];
        const unknown = roles.length > 0 && roleErrors(roles, await roleNamesOf(options));
        if (unknown) throw new CmsError("invalid", unknown);
        const account = await addUser(accounts, {
          username: name,
          password: await passwordFor(io, options),
          email: options.email,
          first_name: options.firstName,
          last_name: options.lastName,
          is_staff: options.staff || options.superuser,
          is_superuser: options.superuser,
          roles,
        });
        say(io, options, `Added ${account.username} (${roleOf(account)}).`);
      }),
    );
}

function registerList(user: Command, io: Io, cost?: HashCost): void {
  withSiteOptions(user.command("list"))
    .description("list the accounts")
    .option("--json", "print them as a list")
    .action(
      run(io, async (options: SiteOptions & { readonly json?: boolean }) => {
        const all = await accountsOf(io, options, cost).store.list();
        if (options.json) {
          io.stdout.write(`${JSON.stringify(all.map(shown), null, 2)}\n`);
        } else if (all.length === 0) {
          say(io, options, "There are no accounts: add one with `cms user add <name>`.");
        } else {
          const rows = all.map((one) => [
            one.username,
            roleOf(one),
            one.email,
            String(one.id),
            one.last_login ?? "never",
          ]);
          io.stdout.write(table(io, ["NAME", "ROLE", "EMAIL", "ID", "LAST LOGIN"], rows));
        }
      }),
    );
}

function registerPasswd(user: Command, io: Io, cost?: HashCost): void {
  withSiteOptions(user.command("passwd <name>"))
    .description("change a password, which revokes the account's token")
    .option("--password <password>", PASSWORD_HELP)
    .action(
      run(io, async (name: string, options: PasswordOption) => {
        const accounts = accountsOf(io, options, cost);
        const account = await getByName(accounts, name);
        await setPassword(accounts, account.id, await passwordFor(io, options));
        say(io, options, `Changed the password of ${account.username}; its previous token no longer works.`);
      }),
    );
}

function registerReset(user: Command, io: Io, cost?: HashCost): void {
  withSiteOptions(user.command("reset <name>"))
    .description(
      "remove the passkeys and one-time codes of an account that has lost them, and end its sessions and tokens",
    )
    .action(
      run(io, async (name: string, options: SiteOptions) => {
        const accounts = accountsOf(io, options, cost);
        const account = await getByName(accounts, name);
        await removeProofs(accounts, account.id);
        await rotateToken(accounts, account.id);
        say(io, options, `${account.username} signs in by the password alone.`);
      }),
    );
}

function registerRemove(user: Command, io: Io, cost?: HashCost): void {
  withSiteOptions(user.command("remove <name>"))
    .description("remove an account")
    .action(
      run(io, async (name: string, options: SiteOptions) => {
        const accounts = accountsOf(io, options, cost);
        const account = await getByName(accounts, name);
        await removeUser(accounts, account.id);
        say(io, options, `Removed ${account.username}.`);
      }),
    );
}

/** Where the audit log says that the changes of commands come from. */
const COMMAND_LINE = "command line";

/** The accounts of the site of the options, without opening its content. */
export const accountsOf = (io: Io, options: SiteOptions, cost?: HashCost): Accounts =>
  openAccounts(stateDirOf(siteRoot(options), io.env), systemEnv(stderrLog), { cost, from: COMMAND_LINE });

/** @throws CmsError `not_found`, with the name */
export async function getByName(accounts: Accounts, name: string): Promise<Account> {
  const account = await accounts.store.findByName(name);
  if (!account) throw new CmsError("not_found", `There is no account named ${name}: \`cms user list\` shows all.`);
  return account;
}

/** The names of the roles of the site. */
const roleNamesOf = (options: SiteOptions): Promise<readonly string[]> =>
  withSite(options, { readOnly: true }, ({ store }) => [...rolesIn(store.current).keys()]);

const roleOf = (account: Account): string => {
  const own = account.roles.length > 0 ? account.roles.join(", ") : account.is_staff ? "staff" : "reader";
  const role = account.is_superuser ? "superuser" : own;
  return account.is_active ? role : `${role}, inactive`;
};

const shown = ({ password: _password, token_version: _version, ...rest }: Account): object => rest;
