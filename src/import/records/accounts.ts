/**
 * Accounts of an import. They are private state, so they are in no commit: they are written after it, all at once. An import
 * that is killed between the two has the content, and the next one adds the accounts.
 *
 * Which ones were imported is private, too. An account that is here already is never changed unless an import made it; a
 * password never once its owner has signed in, which replaces the hash of the old system.
 */
import { createHash } from "node:crypto";
import type { Context } from "../../actions/context.ts";
import { withNewToken } from "../../actions/accounts/accounts.ts";
import { isImportedHash } from "../../actions/accounts/password-hashes.ts";
import {
  emailErrors,
  nameErrors,
  normalUsername,
  sameUsername,
  usernameErrors,
  type Account,
} from "../../model/account/account.ts";
import { isId, type Id } from "../../model/input/id.ts";
import { isObject } from "../../model/input/json.ts";
import { privateFile, type PrivateFile } from "../../store/private/private-file.ts";
import type { ImportedAccount, Remark, SourceId } from "../imported-site.ts";
import type { ImportedRecord } from "../import-report.ts";
import { fingerprint } from "../ledger.ts";
import { outcomeOf } from "../plan.ts";

export interface PlannedAccounts {
  /** By source id: the ids of all imported accounts that are here afterwards. */
  readonly ids: ReadonlyMap<SourceId, Id>;
  readonly records: readonly ImportedRecord[];
  readonly remarks: readonly Remark[];
  /** Writes them. */
  apply(): Promise<void>;
}

interface Row {
  readonly id: Id;
  readonly from: string;
  readonly as: string;
}

/** By the name of an import and a source id. */
type Rows = { readonly [key: string]: Row };

const KIND = "User";

/** @param name of the ledger */
export async function planAccounts(
  ctx: Context,
  name: string,
  imported: readonly ImportedAccount[],
  force: boolean,
): Promise<PlannedAccounts> {
  const file = rowsFile(ctx);
  const present = await ctx.accounts.store.list();
  const past = imported.length > 0 ? await file.read() : {};
  const ids = new Map<SourceId, Id>();
  const records: ImportedRecord[] = [];
  const remarks: Remark[] = [];
  const planned = new Map<Id, Account>();
  const changes = new Map<Id, (newest: Account | undefined) => Account | undefined>();
  const rows: Record<string, Row> = {};
  const taken = new Set(present.map(({ id }) => id));
  for (const each of imported) {
    const { source, place, username } = each;
    const report = (outcome: ImportedRecord["outcome"], id: Id | null): void =>
      void records.push({ source, kind: KIND, id, outcome, title: username });
    const key = `${name}\n${source}`;
    const row = past[key];
    const errors = errorsOf(each);
    if (errors.length > 0) {
      remarks.push({ ...place, message: `The account "${username}" is not imported: ${errors.join(" ")}` });
      report("failed", null);
      continue;
    }
    const before = row ? present.find(({ id }) => id === row.id) : undefined;
    const from = fingerprint({ ...each, place: undefined });
    const outcome = outcomeOf({ from, row, now: before && shown(before) }, force);
    const twin = [...present, ...planned.values()].find(
      (other) => other.id !== before?.id && sameUsername(other.username, username),
    );
    if (twin) {
      if (!ids.has(source)) ids.set(source, twin.id);
      remarks.push({ ...place, message: `There is an account "${twin.username}" here: it stays as it is.` });
      report("unchanged", twin.id);
      continue;
    }
    if (outcome === "unchanged" || outcome === "edited") {
      if (before) ids.set(source, before.id);
      report(outcome, before?.id ?? null);
      continue;
    }
    const account = accountOf(ctx, each, before, freeId(source, taken));
    taken.add(account.id);
    ids.set(source, account.id);
    planned.set(account.id, account);
    // An import can take minutes: what was changed, removed or revoked meanwhile stays so.
    changes.set(account.id, (newest) => {
      if (!before) return newest ?? account;
      return newest && shown(newest) === shown(before) ? accountOf(ctx, each, newest, newest.id) : newest;
    });
    rows[key] = { id: account.id, from, as: shown(account) };
    report(outcome, account.id);
  }
  const apply = async (): Promise<void> => {
    if (changes.size === 0) return;
    await ctx.accounts.store.putAll(changes);
    await file.update((before) => [{ ...before, ...rows }, undefined]);
  };
  return { ids, records, remarks, apply };
}

/** All that an editor can change, but not the password, which a sign-in hashes anew. */
const shown = ({
  username,
  email,
  first_name,
  last_name,
  is_staff,
  is_superuser,
  is_active,
  ...rest
}: Account): string =>
  fingerprint({
    ...{ username, email, first_name, last_name, is_staff, is_superuser, is_active },
    user_permissions: rest.user_permissions,
  });

function accountOf({ env }: Context, imported: ImportedAccount, before: Account | undefined, id: Id): Account {
  const { email, first_name, last_name, is_staff, is_superuser, is_active, user_permissions } = imported;
  const isUnused = before === undefined || before.password === null || isImportedHash(before.password);
  const account: Account = {
    id: before?.id ?? id,
    username: normalUsername(imported.username),
    ...{ email, first_name, last_name, is_staff, is_superuser, is_active, user_permissions },
    roles: before?.roles ?? [],
    password: isUnused ? imported.password : before.password,
    // An account that was removed gets its id again: its tokens, sessions and preview links of then must not hold again.
    token_version: before?.token_version ?? Math.ceil(env.randomId() / 2),
    has_token: before?.has_token ?? false,
    date_joined: imported.joined ?? before?.date_joined ?? env.now(),
    last_login: before?.last_login ?? imported.lastLogin ?? null,
  };
  const isOver = before && (account.password !== before.password || (before.is_active && !account.is_active));
  return isOver ? withNewToken(account) : account;
}

const errorsOf = ({ username, email, first_name, last_name }: ImportedAccount): string[] => [
  ...usernameErrors(normalUsername(username)),
  ...emailErrors(email),
  ...nameErrors(first_name),
  ...nameErrors(last_name),
];

/** The same for a source in every run, so that articles name the id that an account gets after a killed import. */
function freeId(source: SourceId, taken: ReadonlySet<Id>): Id {
  const start = createHash("sha256").update(source).digest().readUInt32BE(0) % MAX_ID;
  for (let id = start + 1; ; id = (id % MAX_ID) + 1) if (!taken.has(id)) return id;
}

const MAX_ID = 2 ** 31 - 1;

const rowsFile = (ctx: Context): PrivateFile<Rows> =>
  privateFile<Rows>({ dir: ctx.store.repo.stateDir, name: "imported-accounts.json", empty: {}, parse: rowsIn });

function rowsIn(raw: unknown): Rows {
  const rows: Record<string, Row> = {};
  for (const [key, row] of Object.entries(isObject(raw) ? raw : {})) {
    if (!isObject(row)) continue;
    const { id, from, as } = row;
    if (isId(id) && typeof from === "string" && typeof as === "string") rows[key] = { id, from, as };
  }
  return rows;
}
