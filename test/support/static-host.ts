/** A host of files, as plain as they come: a folder is its index.html, anything else that is missing is 404.html. */
import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { onTestFinished } from "vitest";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".json": "application/json",
  ".webp": "image/webp",
  ".avif": "image/avif",
};

/** @returns its address, without a final slash */
export async function serveFiles(dir: string): Promise<string> {
  const server = createServer((request, response) => {
    void (async () => {
      const path = decodeURIComponent(new URL(request.url!, "http://x").pathname);
      const file = join(dir, path.endsWith("/") ? `${path}index.html` : path);
      const found = await stat(file).catch(() => undefined);
      const isThere = found?.isFile() === true;
      response.writeHead(isThere ? 200 : 404, {
        "content-type": TYPES[extname(isThere ? file : "404.html")] ?? "application/octet-stream",
      });
      response.end(await readFile(isThere ? file : join(dir, "404.html")));
    })();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
