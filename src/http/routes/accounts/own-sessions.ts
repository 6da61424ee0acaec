/** The sessions of the own account: where it is signed in, and ending that. */
import { endSessions, listSessions } from "../../../actions/accounts/sessions.ts";
import { showInstant } from "../../../model/time/instant.ts";
import { listOf, ref } from "../../../schema/json-schema.ts";
import { json, noContent, type Reply } from "../../request/reply.ts";
import { accountsBy, del, get, requireUser, type Call, type Route } from "../../app/route.ts";

export const ownSessionRoutes: readonly Route[] = [
  get("users/current/sessions", "user", list, {
    summary: "List the sessions of the own account",
    answer: listOf(ref("Session")),
  }),
  del("users/current/sessions", "user", endOthers, {
    summary: "End all sessions of the own account but this one",
  }),
  del("users/current/sessions/:session", "user", endOne, { summary: "End a session of the own account" }),
];

async function list(call: Call): Promise<Reply> {
  const sessions = await listSessions(call.ctx.accounts, requireUser(call), call.session);
  return json(
    sessions.map((session) => ({
      ...session,
      created_at: showInstant(session.created_at),
      expires_at: showInstant(session.expires_at),
    })),
  );
}

async function endOthers(call: Call): Promise<Reply> {
  await endSessions(accountsBy(call), requireUser(call), { except: call.session });
  return noContent();
}

async function endOne(call: Call): Promise<Reply> {
  await endSessions(accountsBy(call), requireUser(call), { id: call.params.session ?? "" });
  return noContent();
}
