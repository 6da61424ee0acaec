/** Reading the pages of a service whose content changes meanwhile. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Client } from "../../src/static-site/sources/server-client.ts";
import { readPages } from "../../src/static-site/sources/server-pages.ts";
import { digestPayload } from "../../src/views/manifest/json-digest.ts";
import { emptyFolder } from "../cli/process.ts";

const payload = (id: number, title: string) => ({
  id,
  title,
  routerlink: `/p${id}/`,
  alternates: {},
  published_at: null,
});

/**
 * A service of two pages, the second of which changes before and after each manifest while `busy` says so.
 *
 * @param second answers for the second page, in place of its payload
 */
function service({ busy, second }: { busy: (manifests: number) => boolean; second?: object }) {
  const asked: string[] = [];
  let manifests = 0;
  let title = "Title 0";
  const row = (id: number, text: string) => {
    const { hash } = digestPayload(payload(id, text));
    return { path: `/p${id}/`, language_code: "en", permalink: `/p${id}`, hash };
  };
  const client = {
    origin: "http://127.0.0.1:1",
    async json() {
      manifests++;
      if (busy(manifests)) title = `Title ${manifests}, first`;
      const answer = {
        server_time: "2026-01-01T00:00:00Z",
        epoch: null,
        urls: [row(1, "Calm"), row(2, title)],
        redirects: [],
      };
      if (busy(manifests)) title = `Title ${manifests}`;
      return answer;
    },
    async text(path: string) {
      asked.push(path);
      if (path.endsWith("/p1/")) return JSON.stringify(payload(1, "Calm"));
      return JSON.stringify(second ?? payload(2, title));
    },
  } as unknown as Client;
  const folder = emptyFolder();
  const places = { out: join(folder, "out"), cache: join(folder, "cache"), mediaUrl: "/media/", origins: [] };
  return { read: () => readPages(client, places), asked, cache: places.cache };
}

const titles = ({ pages, text }: Awaited<ReturnType<typeof readPages>>): unknown[] =>
  pages.map((page) => (JSON.parse(text(page)) as { title: string }).title);

it("has the pages of one manifest once the service is calm", async () => {
  const { read, asked } = service({ busy: (manifests) => manifests < 4 });
  const read1 = await read();
  expect([read1.isOneTime, titles(read1)]).toEqual([true, ["Calm", "Title 3"]]);
  expect(asked.filter((path) => path.endsWith("/p1/"))).toHaveLength(1);
});

it("has the newest pages, with their own hashes, where the service is never calm", async () => {
  const { read, cache } = service({ busy: () => true });
  const found = await read();
  expect(found.isOneTime).toBe(false);
  const newest = digestPayload(payload(2, "Title 10"));
  expect(titles(found)).toEqual(["Calm", "Title 10"]);
  expect(found.pages[1]!.hash).toBe(newest.hash);
  expect(found.text(found.pages[1]!)).toBe(newest.text);
  expect(readdirSync(cache).some((name) => name.endsWith(".part"))).toBe(false);
});

it("leaves out a page whose path redirects by then", async () => {
  const found = await service({ busy: () => false, second: { redirect: "/p1/", status: 301 } }).read();
  expect([found.isOneTime, titles(found)]).toEqual([false, ["Calm"]]);
});

it("refuses a service whose payloads never are those of its manifest", async () => {
  await expect(service({ busy: () => false, second: payload(2, "Changed by a proxy") }).read()).rejects.toThrow(
    "http://127.0.0.1:1/p2/ never has the payload that the manifest names",
  );
});
