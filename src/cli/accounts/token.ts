/** `cms token`: tokens of an account, each as the only output on stdout, for scripts. */
import type { Command } from "commander";
import { rotateToken, type Accounts } from "../../actions/accounts/accounts.ts";
import { addNamedToken, listNamedTokens, removeNamedToken } from "../../actions/accounts/named-tokens.ts";
import { issueToken } from "../../actions/accounts/sign-in.ts";
import { CmsError } from "../../errors.ts";
import type { Account } from "../../model/account/account.ts";
import { READING, readNamedToken } from "../../model/account/named-token.ts";
import { instantOf, msOf } from "../../model/time/instant.ts";
import { run, siteRoot, spanOf, UsageError, withSiteOptions, type SiteOptions } from "../command.ts";
import { processIo, say, table, type Io } from "../terminal.ts";
import { accountsOf, getByName } from "./user.ts";

interface TokenOptions extends SiteOptions {
  readonly rotate?: boolean;
  readonly list?: boolean;
  readonly revoke?: string;
  readonly name?: string;
  readonly expires?: string;
  readonly readOnly?: boolean;
  readonly may?: string;
  readonly models?: string;
  readonly below?: string;
  readonly languages?: string;
}

export function registerToken(program: Command, io: Io = processIo): void {
  withSiteOptions(program.command("token <account>"))
    .description("print a token of an account, for `Authorization: Token ...`")
    .option("--rotate", "make a new one first, which revokes the previous one, named tokens and sessions")
    .option("--name <name>", "make a token of its own for a program, which is shown this once")
    .option("--expires <span>", "of a named token: how long it holds, as 12h or 90d")
    .option("--read-only", "of a named token: it may only read")
    .option("--may <actions>", "of a named token: the actions that it may, as view,edit,publish")
    .option("--models <names>", "with --may, on records of these models alone, as article,tag")
    .option("--below <page>", "with --may, on a page and those below it alone, by its permalink")
    .option("--languages <codes>", "with --may, in these languages alone")
    .option("--list", "list the named tokens")
    .option("--revoke <name>", "revoke a named token")
    .action(
      run(io, async (name: string, options: TokenOptions) => {
        const accounts = accountsOf(io, options);
        const account = await getByName(accounts, name);
        if (options.list) return printTokens(io, options, accounts, account);
        if (options.revoke !== undefined) return revoke(accounts, account, options.revoke);
        if (!account.is_active)
          throw new CmsError("forbidden", `${account.username} is not active: its token would open nothing.`);
        const token =
          options.name === undefined ? plainToken(accounts, account, options) : add(accounts, account, options);
        io.stdout.write(`${await token}\n`);
      }),
    );
}

async function plainToken(accounts: Accounts, account: Account, options: TokenOptions): Promise<string> {
  const { expires, readOnly, may, models, below, languages } = options;
  if ([expires, readOnly, may, models, below, languages].some((given) => given !== undefined))
    throw new UsageError("Only named tokens have an end or rules: give it a --name.");
  return issueToken(accounts, options.rotate ? await rotateToken(accounts, account.id) : account);
}

async function add(accounts: Accounts, account: Account, options: TokenOptions): Promise<string> {
  const { name, expires, readOnly, may, models, below, languages } = options;
  if (may === undefined && (models ?? below ?? languages) !== undefined)
    throw new UsageError("--models, --below and --languages narrow what --may names.");
  if (readOnly && may !== undefined) throw new UsageError("Give --read-only or --may.");
  const [now, { loadConfig }] = [accounts.env.now(), await import("../../config.ts")];
  const listed = (text: string | undefined): readonly string[] | undefined =>
    text?.split(",").map((each) => each.trim());
  const rule = { may: listed(may), models: listed(models), below, languages: listed(languages) };
  const given = Object.fromEntries(Object.entries(rule).filter(([, value]) => value !== undefined));
  const wanted = readNamedToken(
    {
      name,
      expires_at: expires === undefined ? null : instantOf(msOf(now) + spanOf("--expires", expires)),
      rules: readOnly ? READING : may === undefined ? null : [given],
    },
    { now, locales: (await loadConfig(siteRoot(options))).locales, unknownFields: "refuse" },
  );
  return (await addNamedToken(accounts, account, wanted)).token;
}

async function printTokens(io: Io, options: TokenOptions, accounts: Accounts, account: Account): Promise<void> {
  const tokens = await listNamedTokens(accounts, account);
  if (tokens.length === 0) return say(io, options, `${account.username} has no named tokens.`);
  const rows = tokens.map(({ name, rules, expires_at, last_used_at }) => [
    name,
    rules ? rules.map(({ may }) => may.join(",")).join(" ") : "everything",
    expires_at ?? "never",
    last_used_at ?? "never",
  ]);
  io.stdout.write(table(io, ["NAME", "MAY", "EXPIRES", "LAST USED"], rows));
}

async function revoke(accounts: Accounts, account: Account, name: string): Promise<void> {
  const found = (await listNamedTokens(accounts, account)).find((token) => token.name === name);
  if (!found) throw new CmsError("not_found", `${account.username} has no token named ${name}.`);
  await removeNamedToken(accounts, account, found.id);
}
