/** Requests byte by byte: invalid ones are refused, and the next client is answered. */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { serveApp } from "../../../src/http/socket/serve.ts";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads } from "../../../src/http/socket/direct.ts";
import { memorySite } from "../../site.ts";
import { served } from "./raw.ts";

const CLOSE = "Connection: close\r\n\r\n";

describe("over a port", () => {
  it.each<[string, string, string]>([
    ["a Host with an impossible port", "GET /a/../b HTTP/1.1\r\nHost: a:99999\r\n", "400"],
    ["a Host that is no address", "GET / HTTP/1.1\r\nHost: 999.999.999.999\r\n", "400"],
    ["a Host that cannot be decoded", "GET /%2e HTTP/1.1\r\nHost: xn--a\r\n", "400"],
    ["a Host of colons", "GET /%61pi/ HTTP/1.1\r\nHost: [::::]\r\n", "400"],
    ["a Host that is a bad number", "GET /?a=' HTTP/1.1\r\nHost: 08\r\n", "400"],
    ["a backslash", "GET /a\\b HTTP/1.1\r\nHost: a\r\n", "400"],
    ["bytes beyond ASCII", "GET /citt\u00c3\u00a0 HTTP/1.1\r\nHost: a\r\n", "400"],
    ["a segment to go up", "GET /a/../b HTTP/1.1\r\nHost: a\r\n", "400"],
    ["no Host", "GET / HTTP/1.1\r\n", "400"],
    ["two Hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n", "400"],
    ["TRACE", "TRACE / HTTP/1.1\r\nHost: a\r\n", "405"],
    ["CONNECT", "CONNECT a:80 HTTP/1.1\r\nHost: a\r\n", "405"],
    ["an expectation", "GET / HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n", "417"],
    ["garbage", "\u0016\u0003\u0001 garbage\r\n", "400"],
    ["a method nobody knows", "BREW / HTTP/1.1\r\nHost: a\r\n", "400"],
    ["two lengths", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "400"],
    ["a length and chunks", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", "400"],
    ["too many headers", `GET / HTTP/1.1\r\nHost: a\r\n${"A: b\r\n".repeat(150)}`, "431"],
    ["too long a header", `GET / HTTP/1.1\r\nHost: a\r\nA: ${"b".repeat(17_000)}\r\n`, "431"],
    ["too long an address", `GET /${"b".repeat(13_000)} HTTP/1.1\r\nHost: a\r\n`, "414"],
  ])("%s is refused in JSON, and the connection closed", async (_what, head, status) => {
    const site = await memorySite();
    const { say, get } = await served(site.cms);
    const answer = await say(`${head}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^\\r]+\\r\\n`));
    expect(answer).toMatch(/\r\nconnection: close\r\n/i);
    expect(JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")))).toEqual({ detail: expect.any(String) });
    expect(await get("/healthz")).toMatch(/^HTTP\/1\.1 200 /);
    expect(site.logged).toEqual([]);
  });

  it.each<[string, string, RegExp]>([
    [
      "an absolute address",
      "GET http://other.example/api/cms/ HTTP/1.1\r\nHost: other.example\r\n",
      /"http:\/\/other\.example\/api\/cms\/pages\/"/,
    ],
    ["HTTP/1.0 without a host", "GET /api/cms/ HTTP/1.0\r\n", /"http:\/\/127\.0\.0\.1:\d+\/api\/cms\/pages\/"/],
    ["an encoded path", "GET /%61pi/cms/ HTTP/1.1\r\nHost: a\r\n", /^HTTP\/1\.1 200 /],
    ["quotes in a query", "GET /api/cms/pages/?fltr=title='a' HTTP/1.1\r\nHost: a\r\n", /^HTTP\/1\.1 401 /],
    ["OPTIONS of everything", "OPTIONS * HTTP/1.1\r\nHost: a\r\n", /^HTTP\/1\.1 204 [^]*allow: GET, HEAD/],
    ["an offer of another protocol", "GET /healthz HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n", /^HTTP\/1\.1 200 /],
    [
      "an expectation that is met",
      "POST /api/cms/token-auth/ HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 2\r\n",
      /^HTTP\/1\.1 100 [^]*HTTP\/1\.1 400 /,
    ],
  ])("%s is answered", async (_what, head, expected) => {
    const { say } = await served((await memorySite()).cms);
    expect(await say(`${head}${CLOSE}${head.startsWith("POST") ? "{}" : ""}`)).toMatch(expected);
  });

  it.each<[string, string, (n: number) => string]>([
    [
      "of texts",
      "multipart/form-data; boundary=x",
      (n) => `--x\r\nContent-Disposition: form-data; name="f${n}"\r\n\r\n1\r\n`,
    ],
    ["encoded as a URL", "application/x-www-form-urlencoded", (n) => `f${n}=1&`],
  ])("a form %s is refused with its 1,002nd part, while others are to come", async (_what, type, part) => {
    const site = await memorySite();
    const { port, get } = await served(site.cms);
    const head = `POST /api/cms/tags/ HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${await site.token("superuser")}\r\n`;
    const begun = Array.from({ length: 1002 }, (_, n) => part(n)).join("");
    const socket = connect(port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(`${head}Content-Type: ${type}\r\nContent-Length: 5000000\r\n\r\n${begun}`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 413 [^]*A form has at most 1000 parts\./);
    expect(await get("/healthz")).toMatch(/^HTTP\/1\.1 200 /);
    expect(site.logged).toEqual([]);
  });

  it("a refused request with `Expect` gets no 100", async () => {
    const { say } = await served((await memorySite()).cms);
    expect(await say("POST /a\\b HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 /,
    );
  });

  it("requests before malformed input are answered first, in order", async () => {
    const { say } = await served((await memorySite()).cms);
    const answer = await say(
      "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /nothing/ HTTP/1.1\r\nHost: a\r\n\r\ngarbage\r\n\r\n",
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 404", "HTTP/1.1 400"]);
  });

  it("a body that is too large is refused before it is complete", async () => {
    const site = await memorySite({}, { API: { MAX_BODY: 10_000 } });
    const { say } = await served(site.cms);
    const chunk = `1000\r\n${"x".repeat(0x1000)}\r\n`;
    const head = `POST /api/cms/pages/ HTTP/1.1\r\nHost: a\r\nAuthorization: Token ${await site.token("staff")}\r\nContent-Type: application/json\r\n`;
    expect(await say(`${head}Transfer-Encoding: chunked\r\n${CLOSE}${chunk.repeat(20)}0\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 413 /,
    );
    expect(await say(`${head}Content-Length: 81920\r\n${CLOSE}${"x".repeat(81_920)}`)).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("slow connections of one address", () => {
  it("do not block their address: the oldest is closed first", async () => {
    const { cms } = await memorySite();
    const { get, port } = await served(cms, directReads(cms), { slowAfter: 500 });
    const told: (string | undefined)[] = Array.from({ length: 300 }, () => undefined);
    const sockets = told.map((_, n) => {
      const socket = connect(port, "127.0.0.1");
      let heard = "";
      socket.on("error", () => undefined);
      socket.on("data", (chunk) => (heard += chunk));
      socket.on("close", () => (told[n] = heard));
      return socket;
    });
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    for (const socket of sockets) {
      await new Promise<void>((resolve) =>
        socket.readyState === "open" ? resolve() : socket.once("connect", () => resolve()),
      );
      socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\nX: ");
    }
    expect(await get("/healthz")).toMatch(/^HTTP\/1\.1 200 /);
    await expect
      .poll(() => told.filter((each) => each !== undefined).length, { timeout: 10_000 })
      .toBeGreaterThanOrEqual(100);
    expect(told.findIndex((each) => each === undefined)).toBeGreaterThanOrEqual(100);
    expect(told[0]).toMatch(/^HTTP\/1\.1 408 [^]*"The request took too long to arrive\."/);
    expect(told.at(-1)).toBeUndefined();
  });

  it("are closed before one that was served meanwhile", async () => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const { port, close } = await serveApp(() => nodeApp(site.cms), {
      ...{ direct: directReads(site.cms), host: "127.0.0.1", port: 0 },
      slowAfter: 250, // and four times that is less than idle connections are kept
    });
    onTestFinished(close);
    const closed = new Set<number>();
    const open = async (n: number): Promise<Socket> => {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      socket.on("close", () => closed.add(n));
      await once(socket, "connect");
      return socket;
    };
    const first = await open(0);
    for (let n = 1; n < 150; n++) (await open(n)).resume();
    first.write("GET /api/cms/pages-router/about/ HTTP/1.1\r\nHost: a\r\n\r\n");
    expect(String((await once(first, "data"))[0])).toMatch(/^HTTP\/1\.1 200 /);
    first.resume();
    for (let n = 150; n < 300; n++) (await open(n)).resume();
    await expect.poll(() => closed.size, { timeout: 10_000 }).toBe(100);
    expect([...closed].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1));
  });

  it("of a trusted proxy are not limited", async () => {
    const { cms } = await memorySite();
    const { port, close } = await serveApp(() => nodeApp(cms), {
      direct: directReads(cms),
      host: "127.0.0.1",
      port: 0,
      trustedProxies: ["127.0.0.0/8"],
    });
    onTestFinished(close);
    let closed = 0;
    const sockets = await Promise.all(
      Array.from(
        { length: 300 },
        () =>
          new Promise<ReturnType<typeof connect>>((resolve) => {
            const socket = connect(port, "127.0.0.1", () => resolve(socket));
            socket.on("error", () => undefined);
            socket.on("close", () => closed++);
          }),
      ),
    );
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    expect((await fetch(`http://127.0.0.1:${port}/healthz`, { headers: { connection: "close" } })).status).toBe(200);
    expect(closed).toBe(0);
  });
});
