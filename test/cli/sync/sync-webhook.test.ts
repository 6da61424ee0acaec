/** Webhooks of forges that start a sync of a real server on a bare remote. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bareRemote } from "../../store/sync/clones.ts";
import { cms, eventually, PAGE, serve, type Server } from "../process.ts";

const HOME = "content/pages/home.yaml";
const KEY = Buffer.alloc(32, 7);
const SECRET = `whsec_${KEY.toString("base64")}`;
const FILES = {
  "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\nSYNC: { SECRET: env:CMS_SYNC_SECRET }\n",
  [HOME]: PAGE(1, "Home"),
};
const RARELY = ["--sync", "--every", "3600"];
const env = { CMS_SYNC_SECRET: SECRET };

const JSON_BODY = JSON.stringify({ ref: "refs/heads/main", accept_deletions: true });
const FORM_BODY = new URLSearchParams({ payload: JSON_BODY }).toString();
const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

const hex = (body: string): string => createHmac("sha256", SECRET).update(body).digest("hex");
const ofGitLab = (body: string) => {
  const seconds = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", KEY).update(`1.${seconds}.${body}`).digest("base64");
  return { "webhook-id": "1", "webhook-timestamp": `${seconds}`, "webhook-signature": `v1,${signature}` };
};

interface Webhook {
  readonly body: string;
  readonly headers: Record<string, string>;
}

const FORGES: Readonly<Record<string, () => Webhook>> = {
  "GitHub, JSON": () => ({ body: JSON_BODY, headers: { ...json, "X-Hub-Signature-256": `sha256=${hex(JSON_BODY)}` } }),
  "GitHub, form": () => ({ body: FORM_BODY, headers: { ...form, "X-Hub-Signature-256": `sha256=${hex(FORM_BODY)}` } }),
  "Gitea, JSON": () => ({ body: JSON_BODY, headers: { ...json, "X-Gitea-Signature": hex(JSON_BODY) } }),
  "Gitea, form": () => ({ body: FORM_BODY, headers: { ...form, "X-Gitea-Signature": hex(JSON_BODY) } }),
  Forgejo: () => ({ body: JSON_BODY, headers: { ...json, "X-Forgejo-Signature": hex(JSON_BODY) } }),
  GitLab: () => ({ body: JSON_BODY, headers: { ...json, ...ofGitLab(JSON_BODY) } }),
  "GitLab's token": () => ({ body: JSON_BODY, headers: { ...json, "X-Gitlab-Token": SECRET } }),
};
const gitHub = FORGES["GitHub, JSON"]!;

async function deliver(server: Server, { body, headers }: Webhook) {
  const response = await fetch(`${server.url}api/cms/sync/`, { method: "POST", headers, body });
  return { status: response.status, body: await response.json() };
}

const titleAt = async (server: Server): Promise<unknown> =>
  (await server.ask("GET", "api/cms/pages-router/home/")).body.title;

describe("a signed webhook", () => {
  it("starts a sync, of each forge", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, RARELY, { env });
    for (const [forge, webhook] of Object.entries(FORGES)) {
      b.save(HOME, PAGE(1, "Home").replace("title: Home", `title: ${forge}`));
      b.commit(forge);
      b.git("push", "--quiet");
      expect([forge, await deliver(server, webhook())]).toEqual([
        forge,
        { status: 202, body: { detail: "A sync is requested." } },
      ]);
      await eventually(async () => (await titleAt(server)) === forge);
    }
    // Neither a foreign origin nor a stale session makes it a request of an account.
    const { body, headers } = gitHub();
    const cookie = { Cookie: "sessionid=0; csrftoken=0", Origin: "https://forge.example" };
    expect((await deliver(server, { body, headers: { ...headers, ...cookie } })).status).toBe(202);
    expect(await server.stop()).toBe(0);
    expect(server.said()).not.toContain(SECRET);
  });

  it("cannot accept deletions, and is not told that the sync is held", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, RARELY, { env });
    b.erase(HOME);
    b.commit("Remove");
    b.git("push", "--quiet");
    expect((await deliver(server, gitHub())).status).toBe(202);
    await eventually(async () => (await server.ask("GET", "healthz")).body.sync.status === "held");
    expect(await titleAt(server)).toBe("Home");
    expect(await server.stop()).toBe(0);
  });

  it("reaches a replica", { timeout: 60_000 }, async () => {
    const remote = bareRemote(FILES);
    const [a, b] = [remote.clone(), remote.clone()];
    const server = await serve(a.dir, ["--read-only", ...RARELY], { env });
    b.save(HOME, PAGE(1, "Home").replace("title: Home", "title: Pushed"));
    b.commit("By hand");
    b.git("push", "--quiet");
    expect((await deliver(server, gitHub())).status).toBe(202);
    await eventually(async () => (await titleAt(server)) === "Pushed");
    expect(await server.stop()).toBe(0);
  });
});

describe("a webhook", () => {
  it("is refused with another signature, without one, or with too much", { timeout: 60_000 }, async () => {
    const a = bareRemote(FILES).clone();
    const server = await serve(a.dir, RARELY, { env });
    const { body, headers } = gitHub();
    const refusal = { status: 403, body: { detail: "The signature of the webhook is not valid." } };
    expect(await deliver(server, { body: `${body} `, headers })).toEqual(refusal);
    expect(await deliver(server, { body, headers: { "X-Gitlab-Token": "open sesame" } })).toEqual(refusal);
    expect((await deliver(server, { body, headers: json })).status).toBe(401);
    expect((await deliver(server, { body, headers: { ...headers, authorization: "Token 0" } })).status).toBe(401);
    const long = " ".repeat(1024 * 1024 + 1);
    const signed = { "X-Gitea-Signature": hex(long) };
    expect((await deliver(server, { body: long, headers: signed })).status).toBe(413);
    expect(await server.stop()).toBe(0);
  });

  it("is refused by a server without SYNC.SECRET, or that does not synchronise", { timeout: 60_000 }, async () => {
    const without = bareRemote({ ...FILES, "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n" }).clone();
    const still = bareRemote(FILES).clone();
    for (const [dir, args] of [
      [without.dir, RARELY],
      [still.dir, []],
    ] as const) {
      const server = await serve(dir, args);
      expect((await deliver(server, gitHub())).status).toBe(401);
      expect(await server.stop()).toBe(0);
    }
  });

  it("whose secret is missing keeps a server from starting", async () => {
    const a = bareRemote(FILES).clone();
    expect(await cms(["serve", "--root", a.dir, "--port", "0", "--sync"])).toMatchObject({
      code: 1,
      err: "error: SYNC.SECRET: the environment variable CMS_SYNC_SECRET is not set.\n",
    });
  });
});
