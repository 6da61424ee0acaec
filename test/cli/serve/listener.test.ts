/** `cms serve --dev` with `--https` and `--qr`. */
import { request } from "node:https";
import { createServer } from "node:net";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import type { TLSSocket } from "node:tls";
import { describe, expect, it } from "vitest";
import { cms, emptyFolder, eventually, serve, site } from "../process.ts";

interface Answer {
  readonly status: number | undefined;
  readonly body: string;
  /** The names that the certificate is for. */
  readonly names: string | undefined;
}

async function get(url: string): Promise<Answer> {
  const asked = request(url, { rejectUnauthorized: false, agent: false });
  asked.end();
  const [response] = await once(asked, "response");
  const names = (response.socket as TLSSocket).getPeerCertificate().subjectaltname;
  return { status: response.statusCode, body: await text(response), names };
}

describe("--https", () => {
  it("serves every route over TLS, with addresses of its scheme", async () => {
    const { dir } = site({
      "content/pages/seen.yaml":
        "translations:\n  en:\n    title: Seen\n    permalink: /seen\n    published_at: 2026-01-01T00:00:00Z\n",
    });
    const server = await serve(dir, ["--dev", "--https"]);
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/$/);
    expect(await get(`${server.url}healthz`)).toMatchObject({
      status: 200,
      names: expect.stringContaining("localhost"),
    });
    const root = await get(`${server.url}api/cms/`);
    expect(JSON.parse(root.body).pages).toBe(`${server.url}api/cms/pages/`);
    expect((await get(`${server.url}sitemap.xml`)).body).toContain(`<loc>${server.url}seen/</loc>`);
    expect((await get(`${server.url}..%2f`)).status).toBeGreaterThanOrEqual(400);
    expect(await server.stop()).toBe(0);
  });

  it("is refused on a port that is taken", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { code, err } = await cms(["serve", "--root", site().dir, "--port", String(port), "--dev", "--https"]);
    expect([code, err]).toEqual([1, expect.stringContaining(`Port ${port} is taken`)]);
    other.close();
  });
});

it("--qr draws the address that other devices reach", async () => {
  const server = await serve(site().dir, ["--dev", "--qr", "--host", "0.0.0.0"]);
  await eventually(async () => /[█▀▄]{10}/.test(server.printed()));
  expect(await server.stop()).toBe(0);
});

it.each([
  [["--qr", "--host", "0.0.0.0"], "--qr is for development: add --dev."],
  [["--production", "--https"], "--https is for development: add --dev."],
  [["--dev", "--qr"], "--qr needs --host with an address that other devices reach, such as 0.0.0.0."],
])("serve %j is refused: %s", async (flags, message) => {
  const { code, err } = await cms(["serve", "--root", emptyFolder(), ...flags]);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
