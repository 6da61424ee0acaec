/** Accounts over HTTP. Any account may list them; writing needs the permission for it. */
import { changeUser, createUser, deleteUser, revokeAccess } from "../../../actions/accounts/users.ts";
import { accountVersion, type Account } from "../../../model/account/account.ts";
import { readProfileChange, readUserChange } from "../../../model/account/user-input.ts";
import { profilePayload, USER_LIST, userPayload } from "../../../views/records/account.ts";
import { withRights } from "../../../model/access/role-rights.ts";
import { rolesIn } from "../../../store/records/people/roles.ts";
import { selectFields } from "../../../views/lists/field-selection.ts";
import type { Payload } from "../../../views/page/page.ts";
import { actionBody, listReply, namedFields, ifMatchOf } from "../../app/resource.ts";
import { record } from "../../../schema/json-schema.ts";
import type { Operation } from "../../openapi/operation.ts";
import { notModified } from "../../request/conditional.ts";
import { etag, json, noContent, PRIVATE, redirect, type Reply } from "../../request/reply.ts";
import {
  del,
  get,
  patch,
  post,
  put,
  accountsBy,
  requireUser,
  sensitive,
  type Access,
  type Call,
} from "../../app/route.ts";

const may = (verb: string): Access => ({ any: [`auth.${verb}_user`] });

const CHANGE: Operation = {
  summary: "Change an account",
  description: "Keys that are not sent keep their values.",
  body: "UserInput",
  answer: "User",
  isVersioned: true,
};

export const userRoutes = sensitive([
  get("users", "user", list, { summary: "List accounts", answer: "User", isList: true }),
  post("users", may("add"), create, {
    summary: "Create an account",
    body: "NewUser",
    answer: "User",
    status: 201,
    isVersioned: true,
  }),
  get("users/current", "user", current, { summary: "Read the own account", answer: "Profile", isVersioned: true }),
  put("users/current", may("change"), updateCurrent, {
    summary: "Change the own account",
    body: "ProfileInput",
    answer: "Profile",
    isVersioned: true,
  }),
  get("users/:id", "user", retrieve, { summary: "Read an account", answer: "User", isVersioned: true }),
  put("users/:id", may("change"), update, CHANGE),
  patch("users/:id", may("change"), update, CHANGE),
  del("users/:id", may("delete"), remove, { summary: "Delete an account", isVersioned: true, refusals: [409] }),
  post("users/:id/kickout", may("add"), kick, {
    summary: "Revoke the token and all sessions of an account",
    body: record({}),
    isBodyOptional: true,
    answer: record({}),
    isConditional: true,
  }),
  get("profiles/me", "public", profileMoved, { summary: "Former address of the own account", status: 302 }),
]);

async function list(call: Call): Promise<Reply> {
  return listReply(call, await call.ctx.accounts.store.list(), USER_LIST, userPayload);
}

async function create(call: Call): Promise<Reply> {
  const change = readUserChange(await call.body(), { unknownFields: call.ctx.unknownFields, roles: roleNames(call) });
  return answer(call, await createUser(accountsBy(call), requireUser(call), change), userPayload, 201);
}

async function retrieve(call: Call): Promise<Reply> {
  return answer(call, await call.ctx.accounts.store.get(call.id()), userPayload);
}

async function update(call: Call): Promise<Reply> {
  const accounts = accountsBy(call);
  const account = await accounts.store.get(call.id());
  const change = readUserChange(await call.body(), {
    unknownFields: call.ctx.unknownFields,
    shown: account.user_permissions ?? [],
    // A role that is not there any more can be written back.
    roles: [...roleNames(call), ...account.roles],
  });
  return answer(call, await changeUser(accounts, requireUser(call), account.id, change, ifMatchOf(call)), userPayload);
}

const roleNames = (call: Call): readonly string[] => [...rolesIn(call.ctx.store.current).keys()];

async function remove(call: Call): Promise<Reply> {
  await deleteUser(accountsBy(call), requireUser(call), call.id(), ifMatchOf(call));
  return noContent();
}

async function kick(call: Call): Promise<Reply> {
  await actionBody(call);
  await revokeAccess(accountsBy(call), requireUser(call), call.id(), ifMatchOf(call));
  return json({});
}

async function current(call: Call): Promise<Reply> {
  return ownAnswer(call, await call.ctx.accounts.store.get(requireUser(call).id));
}

/** The version is that of the stored account, the permissions are those that its roles come to. */
const ownAnswer = (call: Call, account: Account): Reply =>
  answer(call, account, () => profilePayload(withRights(account, rolesIn(call.ctx.live.store.current)), account));

async function updateCurrent(call: Call): Promise<Reply> {
  const change = readProfileChange(await call.body(), call.ctx.unknownFields);
  const { id } = requireUser(call);
  return ownAnswer(call, await changeUser(accountsBy(call), requireUser(call), id, change, ifMatchOf(call)));
}

/** The former address of the profile. */
function profileMoved({ url }: Call): Reply {
  return redirect(url.pathname.endsWith("/") ? "../../users/current/" : "../users/current/", 302);
}

/** One account with its version as ETag, on a read reduced to the requested `fields`. */
function answer(call: Call, account: Account, show: (account: Account) => Payload, status = 200): Reply {
  const headers = { etag: etag(accountVersion(account)), ...PRIVATE };
  const isRead = call.method === "GET" || call.method === "HEAD";
  const known = isRead && notModified(call.headers, headers);
  if (known) return known;
  const fields = isRead ? namedFields(call, USER_LIST) : [];
  return json(selectFields(show(account), fields, USER_LIST, call.ctx.locales), status, headers);
}
