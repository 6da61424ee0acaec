/** Many requests of one client: in order, one at a time on a connection, and never more than the process can hold. */
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readlinkSync, renameSync, truncateSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { directReads } from "../../../src/http/socket/direct.ts";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";
import { mediaSite } from "../../media/media-site.ts";
import { memorySite } from "../../site.ts";
import { served } from "./raw.ts";

const get = (path: string, version = "1.1"): string => `GET ${path} HTTP/${version}\r\nHost: a\r\n\r\n`;
const statuses = (heard: string): readonly string[] =>
  [...heard.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!);

async function opened(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

/** A server whose app answers with the address, after a turn of the event loop; and how many requests it had at once. */
async function slowApp() {
  let open = 0;
  let most = 0;
  const { port, close } = await serveApp(
    () => (request, response) => {
      most = Math.max(most, ++open);
      let body = "";
      request.on("data", (chunk: Buffer) => (body += chunk.toString()));
      request.on("end", () =>
        setImmediate(() => {
          response.once("close", () => open--);
          response.end(`<${request.method} ${request.url} ${body}>`);
        }),
      );
    },
    { host: "127.0.0.1", port: 0 },
  );
  onTestFinished(close);
  return { port, most: () => most };
}

const told = (heard: string): readonly string[] => [...heard.matchAll(/<([^>]*)>/g)].map(([, text]) => text!);

/** Writes the pieces, each when the one before is passed on, and reads until the connection ends. */
async function heard(port: number, pieces: readonly string[]): Promise<string> {
  const socket = await opened(port);
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  await once(socket, "close");
  return text;
}

const LAST = "GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

describe("pipelined requests", () => {
  it("are answered in order, one at a time", async () => {
    const { port, most } = await slowApp();
    const paths = Array.from({ length: 1500 }, (_, n) => `/${n}`);
    const text = await heard(port, [paths.map((path) => get(path)).join("") + LAST]);
    expect(told(text)).toEqual([...paths.map((path) => `GET ${path} `), "GET /last "]);
    expect(most()).toBe(1);
  });

  it("are parsed only when those before them are answered", async () => {
    let requests = 0;
    const { port, close } = await serveApp(() => () => void requests++, { host: "127.0.0.1", port: 0 });
    onTestFinished(close);
    (await opened(port)).write(get("/").repeat(2000));
    await expect.poll(() => requests).toBe(1);
    (await opened(port)).write(get("/"));
    await expect.poll(() => requests).toBe(2);
  });

  // oxfmt-ignore
  it.each<[string, readonly string[], readonly string[]]>([
    ["a body after a read",           [`${get("/a")}POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nxyz${LAST}`], ["GET /a ", "POST /b xyz", "GET /last "]],
    ["chunks after a read",           [`${get("/a")}POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n2\r\nyz\r\n0\r\n\r\n${LAST}`], ["GET /a ", "POST /b xyz", "GET /last "]],
    ["a body of empty lines",         [`POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 8\r\n\r\n\r\n\r\n\r\n\r\n${get("/a")}${LAST}`], ["POST /b \r\n\r\n\r\n\r\n", "GET /a ", "GET /last "]],
    ["many behind the end of a body", [`POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n`, `x${get("/a").repeat(300)}${LAST}`], ["POST /b x", ...Array<string>(300).fill("GET /a "), "GET /last "]],
    ["in pieces",                     [`${get("/a")}GET /b HT`, `TP/1.1\r\nHost: a\r`, `\n\r\n${LAST}`], ["GET /a ", "GET /b ", "GET /last "]],
    ["an upgrade that is not offered", [`GET /a HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n${LAST}`], ["GET /a ", "GET /last "]],
    ["with HEAD",                     [`HEAD /a HTTP/1.1\r\nHost: a\r\n\r\n${LAST}`], ["GET /last "]],
    ["behind the last one",           [`${LAST}${get("/a")}`], ["GET /last "]],
  ])("%s", async (_what, pieces, expected) => {
    const { port } = await slowApp();
    expect(told(await heard(port, pieces))).toEqual(expected);
  });

  it("are answered when the client has ended its side behind them", async () => {
    const { port } = await slowApp();
    const socket = await opened(port);
    let text = "";
    socket.on("data", (chunk) => (text += chunk));
    socket.end(get("/a").repeat(50));
    await once(socket, "close");
    expect(told(text).length).toBeGreaterThanOrEqual(49);
  });

  it("are answered before a CONNECT and before what is no HTTP", async () => {
    const { port } = await slowApp();
    const post = "POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n";
    for (const [last, status] of [
      ["CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n", "405"],
      ["garbage\r\n\r\n", "400"],
    ])
      expect(statuses(await heard(port, [post, `x${last}`]))).toEqual(["200", status]);
  });

  it("of a body larger than the buffers on the way arrive whole", async () => {
    const { port } = await slowApp();
    const body = "0123456789\r\n\r\n".repeat(100_000);
    const head = `POST /b HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(told(await heard(port, [get("/a") + head + body + LAST]))).toEqual([
      "GET /a ",
      `POST /b ${body}`,
      "GET /last ",
    ]);
  });

  it("need Host, also where another request got an answer from the cache", async () => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const { say } = await served(site.cms);
    const path = "/api/cms/pages-router/about/";
    for (const host of ["Host: undefined\r\n", "Host: null\r\n", "Host: a\r\n"])
      for (let turn = 0; turn < 2; turn++)
        expect(statuses(await say(`GET ${path} HTTP/1.1\r\n${host}Connection: close\r\n\r\n`))).toEqual(["200"]);
    for (const head of [
      `GET ${path} HTTP/1.1\r\n`,
      `HEAD ${path} HTTP/1.1\r\n`,
      `GET ${path} HTTP/1.1\r\nX-Host: a\r\n`,
    ])
      expect(statuses(await say(`${head}\r\n`))).toEqual(["400"]);
  });
});

describe("a client that does not read", () => {
  it("gets no more than fits into the buffers on the way", async () => {
    const pages = 300;
    const site = await memorySite();
    for (let n = 0; n < pages; n++) await site.page({ title: `Page ${n} ${"x".repeat(100)}` }, ["en"]);
    const { port } = await served(site.cms);
    const before = process.memoryUsage();
    for (let n = 0; n < 4; n++) {
      const socket = await opened(port);
      socket.pause();
      socket.write(get("/sitemap.xml").repeat(1700));
    }
    const reader = await fetch(`http://127.0.0.1:${port}/sitemap.xml`, { headers: { connection: "close" } });
    const size = (await reader.text()).length;
    const { heapUsed, external } = process.memoryUsage();
    expect(heapUsed + external - before.heapUsed - before.external).toBeLessThan((4 * 1700 * size) / 4);
  });

  it.runIf(existsSync("/proc/self/fd"))("keeps no file open", async () => {
    const site = await mediaSite({});
    const file = join(site.disk.dir, "media/large.bin");
    mkdirSync(join(site.disk.dir, "media"), { recursive: true });
    writeFileSync(file, "");
    truncateSync(file, 50_000_000);
    const { port } = await served(site.cms);
    const sockets = await Promise.all(Array.from({ length: 100 }, () => opened(port)));
    for (const socket of sockets) socket.write(get("/media/large.bin").repeat(20));
    await Promise.all(sockets.map((socket) => once(socket, "readable")));
    const open = (): number => readdirSync("/proc/self/fd").filter((fd) => linkOf(fd) === file).length;
    expect(open()).toBeLessThanOrEqual(64);
    await expect.poll(open, { timeout: 10_000 }).toBe(0);
    // One that begins to read gets the whole file.
    let read = 0;
    sockets[0]!.on("data", (chunk) => (read += chunk.length));
    await expect.poll(() => read, { timeout: 10_000 }).toBeGreaterThan(50_000_000);
    expect(site.logged).toEqual([]);
  });

  it("gets the rest of a file only while it is the same", async () => {
    const site = await mediaSite({});
    const file = join(site.disk.dir, "media/large.bin");
    mkdirSync(join(site.disk.dir, "media"), { recursive: true });
    writeFileSync(file, "");
    truncateSync(file, 50_000_000);
    const { port } = await served(site.cms);
    const socket = await opened(port);
    socket.write(get("/media/large.bin"));
    await once(socket, "readable");
    writeFileSync(`${file}.new`, "y".repeat(50_000_000));
    renameSync(`${file}.new`, file);
    let text = "";
    socket.on("data", (chunk: Buffer) => (text += chunk.includes("yyyy") ? "y" : ""));
    await once(socket, "close");
    expect(text).toBe("");
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ""; // closed since it was listed
  }
}

describe("a client that asks for all pages at once", () => {
  it.each([
    ["itself", []],
    ["through a proxy", ["127.0.0.0/8"]],
  ])("%s gets all of them", async (_how, trustedProxies) => {
    const site = await memorySite();
    await site.page({ title: "About" }, ["en"]);
    const { port, close } = await serveApp(() => nodeApp(site.cms), {
      direct: directReads(site.cms),
      host: "127.0.0.1",
      port: 0,
      trustedProxies,
    });
    onTestFinished(close);
    const ask = (path: string): Promise<number | string | undefined> =>
      new Promise((resolve) =>
        request({ port, path, agent: false, headers: { "x-forwarded-for": "192.0.2.1" } }, (response) => {
          response.resume();
          response.on("end", () => resolve(response.statusCode));
        })
          .on("error", ({ message }) => resolve(message))
          .end(),
      );
    const paths = ["/api/cms/pages-router/about/", "/sitemap.xml", "/api/cms/"];
    const answers = await Promise.all(Array.from({ length: 900 }, (_, n) => ask(paths[n % 3]!)));
    expect(answers.filter((status) => status !== 200)).toEqual([]);
  });
});
