import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { hasWebhookSignature, isSignedWebhook, webhookSignature } from "../../../src/model/hooks/webhook-signature.ts";

const NOW = Date.parse("2026-03-01T12:00:00Z");
const SECONDS = String(NOW / 1000);
const SECRET = "It's a Secret to Everybody";
const WHSEC = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const JSON_BODY = '{"ref":"refs/heads/main","names":"è + %26"}';
const FORM_BODY = new URLSearchParams({ payload: JSON_BODY }).toString();

const hex = (body: string, secret = SECRET): string => createHmac("sha256", secret).update(body).digest("hex");
const gitLab = (body: string, { id = "1", at = SECONDS, key = Buffer.alloc(32, 7) } = {}): string =>
  `v1,${createHmac("sha256", key).update(`${id}.${at}.${body}`).digest("base64")}`;
const form = { "content-type": "application/x-www-form-urlencoded; charset=utf-8" };
const stamped = { "webhook-id": "1", "webhook-timestamp": SECONDS };

describe("webhookSignature", () => {
  // The example of GitHub's documentation.
  it("is that of GitHub", () => {
    expect(webhookSignature("Hello, World!", SECRET)).toBe(
      "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    );
  });
});

describe("isSignedWebhook", () => {
  // oxfmt-ignore
  it.each([
    // headers                                                              body       secret  signed
    ["GitHub, JSON",           { "X-Hub-Signature-256": `sha256=${hex(JSON_BODY)}` },             JSON_BODY, SECRET, true],
    ["GitHub, form",           { ...form, "X-Hub-Signature-256": `sha256=${hex(FORM_BODY)}` },    FORM_BODY, SECRET, true],
    ["Gitea, JSON",            { "X-Gitea-Signature": hex(JSON_BODY) },                           JSON_BODY, SECRET, true],
    ["Gitea, form",            { ...form, "X-Gitea-Signature": hex(JSON_BODY) },                  FORM_BODY, SECRET, true],
    ["Gitea as GitHub, form",  { ...form, "X-Hub-Signature-256": `sha256=${hex(JSON_BODY)}` },    FORM_BODY, SECRET, true],
    ["Forgejo, JSON",          { "X-Forgejo-Signature": hex(JSON_BODY) },                         JSON_BODY, SECRET, true],
    ["Forgejo, empty body",    { "X-Forgejo-Signature": hex("") },                                "",        SECRET, true],
    ["GitLab's token",         { "X-Gitlab-Token": SECRET },                                      JSON_BODY, SECRET, true],
    ["GitLab's signature",     { ...stamped, "webhook-signature": gitLab(JSON_BODY) },            JSON_BODY, WHSEC,  true],
    ["one of two signatures",  { ...stamped, "webhook-signature": `v1,AAAA ${gitLab(JSON_BODY)}` }, JSON_BODY, WHSEC, true],
    ["both of GitLab",         { ...stamped, "webhook-signature": "v1,AAAA", "X-Gitlab-Token": SECRET }, JSON_BODY, SECRET, true],
    ["no header",              {},                                                                JSON_BODY, SECRET, false],
    ["empty headers",          { "X-Hub-Signature-256": "", "X-Gitea-Signature": "", "X-Gitlab-Token": "" }, JSON_BODY, SECRET, false],
    ["another secret",         { "X-Hub-Signature-256": `sha256=${hex(JSON_BODY, "x")}` },        JSON_BODY, SECRET, false],
    ["another body",           { "X-Hub-Signature-256": `sha256=${hex("{}")}` },                  JSON_BODY, SECRET, false],
    ["too short",              { "X-Gitea-Signature": hex(JSON_BODY).slice(0, 62) },              JSON_BODY, SECRET, false],
    ["too long",               { "X-Gitea-Signature": `${hex(JSON_BODY)}00` },                    JSON_BODY, SECRET, false],
    ["no hexadecimal digits",  { "X-Gitea-Signature": "z".repeat(64) },                           JSON_BODY, SECRET, false],
    ["SHA-1",                  { "X-Hub-Signature": `sha1=${createHmac("sha1", SECRET).update(JSON_BODY).digest("hex")}` }, JSON_BODY, SECRET, false],
    ["JSON sent as a form's",  { "X-Gitea-Signature": hex(JSON_BODY) },                           FORM_BODY, SECRET, false],
    ["Gitea, further fields", { ...form, "X-Gitea-Signature": hex(JSON_BODY) },               `a=1&${FORM_BODY}&b=2`, SECRET, true],
    ["a name that ends alike",  { ...form, "X-Gitea-Signature": hex("{}") },                      "apayload={}", SECRET, false],
    ["a payload with spaces",   { ...form, "X-Gitea-Signature": hex("a b + c") },                 "payload=a+b+%2B%20c", SECRET, true],
    ["broken percent-encoding", { ...form, "X-Gitea-Signature": hex("%zz") },                     "payload=%zz", SECRET, false],
    ["two payloads",           { ...form, "X-Gitea-Signature": hex("{}") },                       "payload={}&payload=1", SECRET, false],
    ["another token",          { "X-Gitlab-Token": `${SECRET}.` },                                JSON_BODY, SECRET, false],
    ["another id",             { ...stamped, "webhook-id": "2", "webhook-signature": gitLab(JSON_BODY) }, JSON_BODY, WHSEC, false],
    ["another version",        { ...stamped, "webhook-signature": gitLab(JSON_BODY).replace("v1", "v2") }, JSON_BODY, WHSEC, false],
    ["no id",                  { "webhook-timestamp": SECONDS, "webhook-signature": gitLab(JSON_BODY) }, JSON_BODY, WHSEC, false],
    ["a secret without key",   { ...stamped, "webhook-signature": gitLab(JSON_BODY, { key: Buffer.alloc(0) }) }, JSON_BODY, "whsec_", false],
    ["a secret without whsec_", { ...stamped, "webhook-signature": gitLab(JSON_BODY, { key: Buffer.from(SECRET) }) }, JSON_BODY, SECRET, false],
  ])("%s", (_what, headers, body, secret, signed) => {
    const webhook = { headers: new Headers(headers as Record<string, string>), body: Buffer.from(body) };
    expect(isSignedWebhook(webhook, secret, NOW)).toBe(signed);
  });

  // oxfmt-ignore
  it.each([
    [0, true], [-300, true], [300, true], [-301, false], [301, false],
  ])("GitLab's timestamp may be off by five minutes: %d s", (offset, signed) => {
    const at = String(NOW / 1000 + offset);
    const headers = new Headers({ "webhook-id": "1", "webhook-timestamp": at, "webhook-signature": gitLab(JSON_BODY, { at }) });
    expect(isSignedWebhook({ headers, body: Buffer.from(JSON_BODY) }, WHSEC, NOW)).toBe(signed);
  });

  it.each(["", "soon", "1e9", "-1", "9".repeat(40)])("a timestamp %j is none", (at) => {
    const signature = gitLab(JSON_BODY, { at });
    const headers = new Headers({ "webhook-id": "1", "webhook-timestamp": at, "webhook-signature": signature });
    expect(isSignedWebhook({ headers, body: Buffer.from(JSON_BODY) }, WHSEC, NOW)).toBe(false);
  });
});

describe("hasWebhookSignature", () => {
  it.each([
    ["x-hub-signature-256", true],
    ["X-Gitea-Signature", true],
    ["X-Forgejo-Signature", true],
    ["X-Gitlab-Token", true],
    ["webhook-signature", true],
    ["x-hub-signature", false],
    ["authorization", false],
  ])("%s: %s", (name, has) => {
    expect(hasWebhookSignature({ headers: new Headers({ [name]: "" }) })).toBe(has);
  });
});
