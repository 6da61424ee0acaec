/**
 * Random bodies at `sync/`: a sync is requested exactly for those with an unchanged signature, a deletion accepted exactly where
 * staff says so, and nothing is a program error.
 */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { h3App } from "../../src/http/app/h3-app.ts";
import type { SyncService } from "../../src/store/sync/sync-service.ts";
import { memorySite, START } from "../site.ts";

/** Set by FUZZ_RUNS; FUZZ_SEED makes other requests. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 20_000) / 10;
const SEED = Number(process.env.FUZZ_SEED ?? 1);

const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString("base64")}`;
const SECONDS = Date.parse(START) / 1000;
const FORM = "application/x-www-form-urlencoded";
const BODY_MAX = 1024 * 1024;

interface Body {
  readonly type: string;
  readonly bytes: Buffer;
  /** The field `payload` of a form that has one. */
  readonly payload?: string;
}

const text = fc.oneof(
  fc.json({ maxDepth: 3 }),
  fc.string({ unit: "binary", maxLength: 80 }),
  fc.constantFrom("", "{}", '{"accept_deletions":true}', "payload=", "[".repeat(5000), "\0", "%zz", "+&=%26"),
);
const type = fc.constantFrom("application/json", "", "text/plain", "multipart/form-data; boundary=x", `${FORM}; a=b`);
const body: fc.Arbitrary<Body> = fc.oneof(
  fc.record({ type, bytes: text.map((each) => Buffer.from(each)) }),
  fc.record({ type, bytes: fc.uint8Array({ maxLength: 60 }).map((each) => Buffer.from(each)) }),
  fc.tuple(text, text).map(([payload, other]) => {
    const fields = new URLSearchParams({ other: other.toWellFormed(), payload: payload.toWellFormed() });
    return { type: FORM, bytes: Buffer.from(fields.toString()), payload: payload.toWellFormed() };
  }),
  fc.constant({ type: "application/json", bytes: Buffer.alloc(BODY_MAX + 1, " ") }),
);

const hex = (bytes: Buffer | string, secret = SECRET): string =>
  createHmac("sha256", secret).update(bytes).digest("hex");
const gitLab = (bytes: Buffer, id: string, seconds: number): Record<string, string> => {
  const signed = Buffer.concat([Buffer.from(`${id}.${seconds}.`), bytes]);
  const signature = createHmac("sha256", KEY).update(signed).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": `v1,${signature}` };
};

/** Of a forge, for a body. */
const SCHEMES: Readonly<Record<string, (sent: Body) => Record<string, string>>> = {
  GitHub: ({ bytes }) => ({ "x-hub-signature-256": `sha256=${hex(bytes)}` }),
  Gitea: ({ bytes, payload }) => ({ "x-gitea-signature": hex(payload ?? bytes) }),
  Forgejo: ({ bytes }) => ({ "x-forgejo-signature": hex(bytes) }),
  GitLab: ({ bytes }) => gitLab(bytes, "1", SECONDS),
  token: () => ({ "x-gitlab-token": SECRET }),
};

/** Another first digit: the last one of a base64 text may have bits that count for nothing. */
const altered = (value: string, prefix: RegExp): string => {
  const [start = ""] = prefix.exec(value) ?? [];
  return start + (value[start.length] === "a" ? "b" : "a") + value.slice(start.length + 1);
};

/** What is done to a signed request, so that it is signed no longer. */
const FORGERIES: Readonly<
  Record<string, (sent: Body, headers: Record<string, string>) => [Body, Record<string, string>]>
> = {
  "another body": (sent, headers) => [{ ...sent, bytes: Buffer.concat([sent.bytes, Buffer.from("&x")]) }, headers],
  "another signature": (sent, headers) => [
    sent,
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, altered(value, /^(?:sha256=|v1,)/)])),
  ],
  "no signature": (sent) => [sent, {}],
  "an empty signature": (sent, headers) => [sent, Object.fromEntries(Object.keys(headers).map((name) => [name, ""]))],
  "the signature of another secret": (sent) => [sent, { "x-hub-signature-256": `sha256=${hex(sent.bytes, "whsec_")}` }],
  "a replayed signature": (sent) => [sent, gitLab(sent.bytes, "1", SECONDS - 301)],
  "a signature from the future": (sent) => [sent, gitLab(sent.bytes, "1", SECONDS + 301)],
  "another id": (sent) => [sent, { ...gitLab(sent.bytes, "1", SECONDS), "webhook-id": "2" }],
  "the SHA-1 signature": ({ bytes, ...sent }) => [
    { bytes, ...sent },
    { "x-hub-signature": `sha1=${createHmac("sha1", SECRET).update(bytes).digest("hex")}` },
  ],
};

/** Whether a change of the body leaves this scheme's signature valid: tokens sign nothing, Gitea the payload alone. */
const coversBody = (scheme: string, { payload }: Body): boolean =>
  scheme !== "token" && !(scheme === "Gitea" && payload !== undefined);

async function opened() {
  const requested: (boolean | "webhook")[] = [];
  const sync: Pick<SyncService, "request" | "sync" | "status"> = {
    request: () => void requested.push("webhook"),
    sync: async (acceptsDeletions) => {
      requested.push(acceptsDeletions);
      return {
        remote: "origin/main",
        outcome: "unchanged",
        commit: null,
        pulled: 0,
        pushed: 0,
        conflicts: [],
        isRewritten: false,
      };
    },
    status: async () => ({}) as Awaited<ReturnType<SyncService["status"]>>,
  };
  const site = await memorySite();
  const app = h3App({ ...site.cms, sync: sync as SyncService, syncSecret: SECRET });
  const send = async ({ type: contentType, bytes }: Body, headers: Record<string, string>): Promise<number> => {
    requested.length = 0;
    const request = new Request("http://test.local/api/cms/sync/", {
      method: "POST",
      headers: { ...headers, "content-type": contentType },
      ...(bytes.length > 0 && { body: new Uint8Array(bytes) }),
    });
    return (await app.request(request)).status;
  };
  return { site, send, requested };
}

it("requests a sync for signed bodies and for no others", { timeout: 120_000 }, async () => {
  const { site, send, requested } = await opened();
  const scheme = fc.constantFrom(...Object.keys(SCHEMES));
  const forgery = fc.option(fc.constantFrom(...Object.keys(FORGERIES)));
  const property = fc.asyncProperty(body, scheme, forgery, fc.boolean(), async (sent, by, forged, withCookie) => {
    fc.pre(forged !== "another body" || coversBody(by, sent));
    const signed = SCHEMES[by]!(sent);
    const [received, headers] = forged === null ? [sent, signed] : FORGERIES[forged]!(sent, signed);
    const cookie: Record<string, string> = withCookie
      ? { cookie: "sessionid=0; csrftoken=0", origin: "https://evil.example" }
      : {};
    const status = await send(received, { ...cookie, ...headers });
    const isRead = Object.keys(headers).some((name) => name !== "x-hub-signature");
    if (!isRead) expect(status).toBe(401);
    else if (received.bytes.length > BODY_MAX) expect(status).toBe(413);
    else expect(status).toBe(forged === null ? 202 : 403);
    expect(requested).toEqual(status === 202 ? ["webhook"] : []);
  });
  await fc.assert(property, { numRuns: RUNS, seed: SEED });
  expect(site.logged).toEqual([]);
});

it("accepts deletions only where staff says so", { timeout: 120_000 }, async () => {
  const { site, send, requested } = await opened();
  const authorization = `Token ${await site.token("staff")}`;
  const asked = fc.oneof(
    body,
    fc
      .dictionary(
        fc.constantFrom("accept_deletions", "__proto__", "use"),
        fc.constantFrom(true, false, 1, "true", null),
      )
      .map((value) => ({ type: "application/json", bytes: Buffer.from(JSON.stringify(value)) })),
  );
  const property = fc.asyncProperty(asked, async (sent) => {
    const status = await send(sent, { authorization });
    expect(status).toBeLessThan(500);
    const isAccepted = sent.bytes.toString() === '{"accept_deletions":true}';
    if (requested.includes(true)) expect(isAccepted).toBe(true);
    expect(requested).toHaveLength(status === 200 ? 1 : 0);
  });
  await fc.assert(property, { numRuns: RUNS / 4, seed: SEED });
  expect(site.logged).toEqual([]);
});
