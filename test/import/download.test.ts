import { existsSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDownloads } from "../../src/import/sources/download.ts";
import { temporaryFolder } from "../site.ts";

/** @returns host and port */
async function host(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const open = async (hosts: readonly string[], more = {}) => {
  const target = join(await temporaryFolder(), "file");
  return { target, downloads: openDownloads({ hosts, maxSize: 1000, ...more }) };
};

describe("openDownloads", () => {
  it("stores what a named host answers, also a private one", async () => {
    const at = await host((_, response) => response.end("bytes"));
    const { target, downloads } = await open([at]);
    expect(await downloads.fetch(`http://${at}/a.png`, target)).toEqual({ file: target, size: 5 });
    expect(readFileSync(target, "utf8")).toBe("bytes");
  });

  it("asks no other host, port or protocol, not even when a redirect leads there", async () => {
    let asked = 0;
    const other = await host((_, response) => response.end(`${++asked}`));
    const at = await host((_, response) => response.writeHead(302, { location: `http://${other}/` }).end());
    const { target, downloads } = await open([at]);
    for (const address of [`http://${at}/`, `http://${other}/`, "file:///etc/passwd", `http://u:p@${at}/`, "nonsense"])
      await expect(downloads.fetch(address, target)).rejects.toThrow(/no host from which fetching is allowed/);
    expect([asked, existsSync(target)]).toEqual([0, false]);
  });

  it("refuses a name that leads to a private address", async () => {
    const { target, downloads } = await open(["old.example"], {
      resolve: (_name: string, _options: object, callback: (error: null, found: object[]) => void) =>
        callback(null, [{ address: "10.0.0.7", family: 4 }]),
    });
    await expect(downloads.fetch("http://old.example/a.png", target)).rejects.toThrow(/no public address/);
  });

  it.each<[string, RequestListener, RegExp]>([
    ["is too large", (_, response) => void response.end("x".repeat(5000)), /larger than 1000 bytes/],
    ["is missing", (_, response) => void response.writeHead(404).end(), /answers 404/],
    [
      "redirects for ever",
      (_, response) => void response.writeHead(301, { location: "/" }).end(),
      /redirects too often/,
    ],
    ["does not answer", () => undefined, /did not answer/],
    [
      "breaks off",
      (_, response) => void response.writeHead(200, { "content-length": 9 }).write("x", () => response.destroy()),
      /cannot be fetched/,
    ],
  ])("leaves no file of one that %s", async (_, answer, message) => {
    const at = await host(answer);
    const { target, downloads } = await open([at], { timeout: 300 });
    await expect(downloads.fetch(`http://${at}/`, target)).rejects.toThrow(message);
    expect(existsSync(target)).toBe(false);
  });
});
