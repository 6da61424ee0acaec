/** Bodies that end too early or never, over a real connection: the server must survive. */
import { once } from "node:events";
import { connect } from "node:net";
import { existsSync, mkdirSync, readdirSync, readlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { nodeApp } from "../../../src/http/app/h3-app.ts";
import { directReads } from "../../../src/http/socket/direct.ts";
import { openMetrics, type SiteFigures } from "../../../src/http/routes/metrics.ts";
import { serveApp } from "../../../src/http/socket/serve.ts";
import { openWriteCounter } from "../../../src/store/write/write-counts.ts";
import { mediaSite } from "../../media/media-site.ts";

const FORM = "Content-Type: multipart/form-data; boundary=b\r\n";
const FILE = `--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n${"x".repeat(200_000)}`;
const CHUNK = `8000\r\n${"x".repeat(0x8000)}\r\n`;

describe("the server survives", () => {
  // oxfmt-ignore
  it.each<[string, string, readonly string[], "destroy" | "end"]>([
    ["a form whose client disconnects",        `${FORM}Content-Length: 5000000\r\n`, [FILE], "destroy"],
    ["a form that ends too early",           `${FORM}Content-Length: 5000000\r\n`, [FILE], "end"],
    ["a form that is none",                  `${FORM}Content-Length: 5000000\r\n`, ["garbage".repeat(1000)], "end"],
    ["a form with an endless file",          `${FORM}Transfer-Encoding: chunked\r\n`, [`${FILE.length.toString(16)}\r\n${FILE}\r\n`, ...Array<string>(40).fill(CHUNK)], "end"],
    ["JSON larger than it says it may be",   "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n", Array<string>(60).fill(CHUNK), "end"],
    ["JSON whose client disconnects",          "Content-Type: application/json\r\nContent-Length: 90000\r\n", ["{"], "destroy"],
  ])("%s", async (_what, headers, pieces, end) => {
    const site = await mediaSite({ API: { MAX_BODY: 1_000_000, MAX_UPLOAD: 1_000_000 } });
    const direct = directReads(site.cms);
    const serving = await serveApp(() => nodeApp(site.cms), { direct, host: "127.0.0.1", port: 0 });
    onTestFinished(() => serving.close());
    const head = `POST /api/cms/media HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Token ${await site.token("staff")}\r\n${headers}\r\n`;
    await send(serving.port, [head, ...pieces], end);
    const health = await fetch(`${serving.url}healthz`, { headers: { connection: "close" } });
    expect([health.status, (await health.text()).includes("ok")]).toEqual([200, true]);
    const uploads = join(site.disk.dir, ".git/cms/uploads");
    await expect.poll(() => site.files().concat(site.leftovers() === "" ? [] : readdirSync(uploads))).toEqual([]);
    expect(site.logged).toEqual([]);
  });
});

describe("a form of too many parts", () => {
  it.each([
    ["encoded as a URL", "application/x-www-form-urlencoded", "f=1&".repeat(1000)],
    [
      "of several parts",
      "multipart/form-data; boundary=b",
      '--b\r\nContent-Disposition: form-data; name="f"\r\n\r\n1\r\n'.repeat(1001),
    ],
  ])("%s is refused as they arrive, before its end", async (_what, type, begun) => {
    const site = await mediaSite({});
    const serving = await serveApp(() => nodeApp(site.cms), { host: "127.0.0.1", port: 0 });
    onTestFinished(() => serving.close());
    const socket = connect(serving.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    socket.write(
      `POST /api/cms/tags/ HTTP/1.1\r\nHost: x\r\nAuthorization: Token ${await site.token("staff")}\r\n` +
        `Content-Type: ${type}\r\nContent-Length: 5000000\r\n\r\n${begun}`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("an upload that has arrived before it is read", () => {
  it.each([40_000, 50_000, 60_000, 65_000, 66_000, 140_000])("of %i bytes is stored whole", async (size) => {
    const site = await mediaSite({});
    const serving = await serveApp(() => nodeApp(site.cms), { host: "127.0.0.1", port: 0 });
    onTestFinished(() => serving.close());
    const form = new FormData();
    form.append("file", new Blob([Buffer.alloc(size, "x")]), "a.bin");
    const authorization = `Token ${await site.token("staff")}`;
    const answer = await fetch(`${serving.url}api/cms/media`, {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    const { size: stored } = (await answer.json()) as { size?: number };
    expect([answer.status, stored]).toEqual([201, size]);
  });
});

describe.runIf(existsSync("/proc/self/fd"))("a client that disconnects", () => {
  it("leaves no file open, also of pipelined requests that were not started", async () => {
    const site = await mediaSite({});
    const file = join(site.disk.dir, "media/big.bin");
    mkdirSync(join(site.disk.dir, "media"), { recursive: true });
    writeFileSync(file, Buffer.alloc(4_000_000));
    const serving = await serveApp(() => nodeApp(site.cms), {
      direct: directReads(site.cms),
      host: "127.0.0.1",
      port: 0,
    });
    onTestFinished(() => serving.close());
    for (let round = 0; round < 10; round++) {
      await Promise.all(
        Array.from({ length: 5 }, () =>
          send(serving.port, ["GET /media/big.bin HTTP/1.1\r\nHost: x\r\n\r\n".repeat(10)], "destroy"),
        ),
      );
    }
    await expect.poll(() => openFiles().filter((each) => each === file), { timeout: 10_000 }).toEqual([]);
    expect(site.logged).toEqual([]);
  });
});

describe.runIf(existsSync("/proc/self/fd"))("a client that does not read its response", () => {
  it("is disconnected after a timeout", async () => {
    const { ask, connections } = await withLargeFile({ takeTimeout: 100 });
    await ask(1);
    await expect.poll(connections).toBe(0);
  });

  it("cannot exceed the limit of connections per address", async () => {
    const { ask, connections, closed } = await withLargeFile({ slowAfter: 500 });
    await ask(230);
    await expect.poll(closed, { timeout: 20_000 }).toBe(30);
    expect(await connections()).toBe(200);
  });
});

const NOTHING: SiteFigures = {
  writes: openWriteCounter().counts,
  problems: 0,
  failingTemplates: 0,
  dueDrafts: 0,
  dueReleases: 0,
  oldestDueSeconds: 0,
  sync: undefined,
};

/** @returns `ask`, which opens connections that ask for the file and read nothing; it resolves when all answers have begun */
async function withLargeFile(options: { readonly takeTimeout?: number; readonly slowAfter?: number }) {
  const site = await mediaSite({});
  const file = join(site.disk.dir, "media/large.bin");
  mkdirSync(join(site.disk.dir, "media"), { recursive: true });
  writeFileSync(file, "");
  truncateSync(file, 50_000_000); // more than the buffers on the way hold, and none of it on disk
  const metrics = openMetrics();
  onTestFinished(() => metrics.close());
  const serving = await serveApp(() => nodeApp(site.cms), {
    direct: directReads(site.cms),
    host: "127.0.0.1",
    port: 0,
    metrics,
    ...options,
  });
  onTestFinished(() => serving.close());
  const figure = async (name: string): Promise<number> =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(await metrics.text(NOTHING))?.[1]);
  const ask = async (count: number): Promise<void> => {
    const begun = Array.from({ length: count }, () => {
      const socket = connect(serving.port, "127.0.0.1", () =>
        socket.write("GET /media/large.bin HTTP/1.1\r\nHost: x\r\n\r\n"),
      );
      socket.on("error", () => undefined);
      onTestFinished(() => void socket.destroy());
      return once(socket, "readable");
    });
    await Promise.all(begun);
  };
  return {
    ask,
    connections: () => figure("cms_connections"),
    closed: () => figure('cms_connections_closed_total{limit="slow_reader"}'),
  };
}

function openFiles(): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      return []; // closed since it was listed
    }
  });
}

/** Writes the pieces as fast as they are taken, then ends or destroys the connection; resolves when that has an answer. */
function send(port: number, pieces: readonly string[], end: "destroy" | "end"): Promise<void> {
  return new Promise((closed) => {
    const socket = connect(port, "127.0.0.1", () => {
      for (const piece of pieces) socket.write(piece);
      if (end === "destroy") socket.write("", () => socket.destroy());
      else socket.end();
    });
    socket.on("data", () => socket.destroy());
    socket.on("error", () => undefined); // the server may have closed it first
    socket.on("close", () => closed());
  });
}
