/** Hooks of the built command: secrets at the start, `cms hooks test`, and a kill between write and delivery. */
import { createHmac } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listener } from "../hooks/listener.ts";
import { cms, eventually, serve, site, tokenFor } from "./process.ts";

const SECRET = "open sesame";
const env = { CMS_HOOK_SECRET: SECRET };

const withHook = (url: string, more = "") =>
  site({
    "cms.config.yaml": `LANGUAGES: { en: English }\nHOOKS: [{ URL: "${url}", SECRET: env:CMS_HOOK_SECRET, PRIVATE: true${more} }]\n`,
  });

describe("cms serve with hooks", () => {
  it("does not start without a secret, and names it", async () => {
    const { dir } = withHook("http://127.0.0.1:9/");
    expect(await cms(["serve", "--root", dir, "--port", "0"])).toMatchObject({
      code: 1,
      err: "error: HOOKS.0.SECRET: the environment variable CMS_HOOK_SECRET is not set.\n",
    });
    expect(await cms(["manifest", "--root", dir])).toMatchObject({ code: 0 });
  });

  it("refuses a secret in the settings without showing it", async () => {
    const { dir } = site({ "cms.config.yaml": "HOOKS: [{ URL: https://ci.example.org/, SECRET: open sesame }]\n" });
    const { code, out, err } = await cms(["check", "--root", dir]);
    expect([code, out + err]).toEqual([1, expect.stringContaining("HOOKS.0.SECRET: found a value that is not shown")]);
    expect(out + err).not.toContain(SECRET);
  });

  it("delivers after a kill what was acknowledged before, and what waited", { timeout: 60_000 }, async () => {
    let isUp = false;
    const at = await listener((response) => response.writeHead(isUp ? 200 : 500).end());
    const { dir } = withHook(at.url, ", EVENTS: [publish]");
    const token = await tokenFor(dir);
    const first = await serve(dir, [], { token, env });
    await eventually(async () => existsSync(join(dir, ".git/cms/hooks")));
    const publish = async (server: typeof first, title: string): Promise<number> => {
      const { body } = await server.ask("POST", "api/cms/pages/", { title });
      expect((await server.ask("POST", `api/cms/pages/${body.id}/publish/`)).status).toBe(200);
      return body.id;
    };
    const waiting = await publish(first, "Waiting");
    await at.after(1);
    const unseen = await publish(first, "Not yet seen");
    await first.stop("SIGKILL");
    const second = await serve(dir, [], { token, env });
    isUp = true;
    await eventually(async () => {
      const { body } = await second.ask("GET", "api/cms/hooks/");
      return body[0].deliveries.filter(({ status }: { status: string }) => status === "delivered").length === 2;
    }, 30_000);
    const told = at.received.flatMap(({ body }) => body.records.map(({ id }: { id: number }) => id));
    expect(new Set(told)).toEqual(new Set([waiting, unseen]));
    for (const { headers, text } of at.received)
      expect(headers["x-cms-signature-256"]).toBe(`sha256=${createHmac("sha256", SECRET).update(text).digest("hex")}`);
    const files = readdirSync(join(dir, ".git/cms/hooks"));
    const kept = files.map((name) => readFileSync(join(dir, ".git/cms/hooks", name), "utf8"));
    expect([first.said(), second.said(), ...kept].join()).not.toContain(SECRET);
  });
});

describe("cms hooks test", () => {
  it("sends a signed delivery and prints the answer", async () => {
    const at = await listener((response) => response.writeHead(201).end("built\u001b[31m\n"));
    const { dir, git } = withHook(at.url);
    expect(await cms(["hooks", "test", "0", "--root", dir], { env })).toMatchObject({
      code: 0,
      out: "201\nbuilt?[31m\n",
    });
    const [{ headers, body, text }] = at.received as [(typeof at.received)[number]];
    expect(headers).toMatchObject({
      "x-cms-event": "test",
      "x-cms-signature-256": `sha256=${createHmac("sha256", SECRET).update(text).digest("hex")}`,
    });
    expect(body).toMatchObject({ event: "test", commit: git("rev-parse", "HEAD").trim(), actor: null, records: [] });
    expect(existsSync(join(dir, ".git/cms/hooks"))).toBe(false);
  });

  it("exits with 1 where the delivery is not accepted, and with 2 without such a hook", async () => {
    const at = await listener((response) => response.writeHead(404).end());
    const { dir } = withHook(at.url);
    const refused = await cms(["hooks", "test", "0", "--root", dir], { env });
    expect(refused).toMatchObject({ code: 1, out: "404\n" });
    expect(refused.err).toMatch(/^http:.*\/hook\?… did not accept the delivery\.\n$/);
    expect(await cms(["hooks", "test", "1", "--root", dir], { env })).toMatchObject({
      code: 2,
      err: "error: There is no hook 1: HOOKS has 1, counted from 0.\n",
    });
  });
});
