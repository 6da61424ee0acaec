/** The passkeys and one-time codes of the own account. */
import { newCodeSecret, codesOf, turnOffCodes, turnOnCodes } from "../../../actions/accounts/one-time-codes.ts";
import { addPasskey, beginPasskey, passkeysOf, removePasskey } from "../../../actions/accounts/passkeys.ts";
import { invalid } from "../../../errors.ts";
import { readValue } from "../../../model/input/field.ts";
import { showInstant } from "../../../model/time/instant.ts";
import { ANY_OBJECT, COUNT, FLAG, listOf, record, ref, TEXT, text, told } from "../../../schema/json-schema.ts";
import type { Passkey } from "../../../store/private/proofs.ts";
import { actionBody, refuseUnknown } from "../../app/resource.ts";
import { accountsBy, del, get, inSession, post, requireUser, type Call, type Route } from "../../app/route.ts";
import { json, noContent, PRIVATE, type Reply } from "../../request/reply.ts";
import { CREDENTIALS_MAX, readTexts } from "./credentials.ts";
import { keptStep, passkeyPlaceOf, siteNameOf, stepReply, usedStep } from "./session-reply.ts";

const NO_BODY = { body: record({}), isBodyOptional: true } as const;

export const ownProofRoutes: readonly Route[] = inSession([
  get("users/current/passkeys", "user", listPasskeys, {
    summary: "List the passkeys of the own account",
    answer: listOf(ref("Passkey")),
  }),
  post("users/current/passkeys/new", "user", begin, {
    summary: "Begin to add a passkey",
    description:
      "The answer is for `navigator.credentials.create`, in the form of `PublicKeyCredentialCreationOptionsJSON`.",
    ...NO_BODY,
    answer: ANY_OBJECT,
  }),
  post("users/current/passkeys", "user", add, {
    summary: "Add a passkey",
    body: record({ name: text("Laptop"), response: told("Of `navigator.credentials.create`, as JSON.", ANY_OBJECT) }),
    answer: "Passkey",
    status: 201,
    refusals: [409],
  }),
  del("users/current/passkeys/:passkey", "user", remove, { summary: "Remove a passkey of the own account" }),
  get("users/current/codes", "user", showCodes, {
    summary: "Read whether the own account has one-time codes",
    answer: record({ is_on: FLAG, recovery_codes_left: COUNT }),
  }),
  post("users/current/codes/new", "user", newSecret, {
    summary: "Get a secret for one-time codes",
    ...NO_BODY,
    answer: record({ secret: TEXT, uri: told("For apps, which read it from a QR code.", TEXT) }),
  }),
  post("users/current/codes", "user", turnOn, {
    summary: "Turn one-time codes on",
    description:
      "From then on the password alone signs nobody in. The recovery codes are shown here alone; each works once.",
    body: record({ secret: TEXT, code: told("Of the app.", text("123456")) }),
    answer: record({ recovery_codes: listOf(TEXT) }),
    refusals: [429],
  }),
  del("users/current/codes", "user", turnOff, { summary: "Turn one-time codes off" }),
]);

const NAME = { name: "name", type: "text", max: 100, blank: false } as const;

async function listPasskeys(call: Call): Promise<Reply> {
  return json((await passkeysOf(call.ctx.accounts, requireUser(call))).map(payload));
}

async function begin(call: Call): Promise<Reply> {
  await actionBody(call);
  const { options, sealed } = await beginPasskey(
    call.ctx.accounts,
    requireUser(call),
    passkeyPlaceOf(call),
    siteNameOf(call),
  );
  return stepReply(call, options, "cms_passkey", sealed);
}

async function add(call: Call): Promise<Reply> {
  const { name = null, response = null } = await actionBody(call, "name", "response");
  const read = readValue(NAME, name);
  if ("error" in read) throw invalid({ name: [read.error] });
  const made = await addPasskey(accountsBy(call), requireUser(call), passkeyPlaceOf(call), {
    ...{ name: String(read.value), response, sealed: keptStep(call, "cms_passkey") },
  });
  return { ...json(payload(made), 201), cookies: [usedStep(call, "cms_passkey")] };
}

async function remove(call: Call): Promise<Reply> {
  await removePasskey(accountsBy(call), requireUser(call), call.params.passkey ?? "");
  return noContent();
}

async function showCodes(call: Call): Promise<Reply> {
  const codes = await codesOf(call.ctx.accounts, requireUser(call));
  return json({ is_on: codes !== undefined, recovery_codes_left: codes?.recovery.length ?? 0 });
}

async function newSecret(call: Call): Promise<Reply> {
  await actionBody(call);
  return json(newCodeSecret(requireUser(call), siteNameOf(call)), 200, PRIVATE);
}

async function turnOn(call: Call): Promise<Reply> {
  const body = await call.body(CREDENTIALS_MAX);
  refuseUnknown(call, body, "secret", "code");
  const wanted = readTexts(body, ["secret", "code"]);
  return json({ recovery_codes: await turnOnCodes(accountsBy(call), requireUser(call), wanted) }, 200, PRIVATE);
}

async function turnOff(call: Call): Promise<Reply> {
  await turnOffCodes(accountsBy(call), requireUser(call));
  return noContent();
}

const payload = ({ id, name, host, created_at, last_used_at }: Passkey) => ({
  ...{ id, name, host, created_at: showInstant(created_at) },
  last_used_at: showInstant(last_used_at),
});
