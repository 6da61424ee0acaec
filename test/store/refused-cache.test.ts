/** A disk that refuses the content cache, or another file in its place. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Instant } from "../../src/model/instant.ts";
import { EMPTY_GLOBALS, type Page } from "../../src/model/page.ts";
import { openEncoder, openSource } from "../../src/store/cache/cache-file.ts";
import { openContentCache } from "../../src/store/cache/content-cache.ts";
import { PAGES } from "../../src/store/content/records/pages.ts";
import { entryKey, filesKey } from "../../src/store/content/snapshot.ts";

const { writeFile } = promises;
let dir: string;
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "cms-refused-"))));
afterEach(() => {
  promises.writeFile = writeFile;
  syncBuiltinESMExports();
  rmSync(dir, { recursive: true });
});

it("keeps records in memory where the cache before it begins in the same way", async () => {
  const AT = "2026-01-01T00:00:00.000Z" as Instant;
  const oids = Array.from({ length: 60 }, (_, n) => String(n).padStart(40, "0"));
  const pageFiles = new Map([[".yaml", "1".repeat(40)]]);
  const page: Page = {
    ...EMPTY_GLOBALS,
    ...{ id: 7, model: "page", identifier: "p7", deleted_at: null, date_created: AT, date_updated_at: AT },
    ...{ aliases: [], tags: [], translations: {}, drafts: {} },
  };
  const filled = () => {
    const cache = openContentCache(dir, "en");
    for (const oid of oids) cache.set(oid, { data: { id: 1 } });
    return cache;
  };
  await filled().flush(() => oids);
  promises.writeFile = async () => {
    throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
  };
  syncBuiltinESMExports();
  const cache = filled();
  const base = "content/pages/p7";
  const entry = cache.setRecord(PAGES, { record: page, base, files: pageFiles }, true);
  await cache.flush(() => [...oids, entryKey(PAGES, base, filesKey(pageFiles))]);
  expect(entry.record).toEqual(page);
  cache.close();
});

it("does not take a shorter file for the written one", () => {
  const path = join(dir, "content.cache");
  writeFileSync(path, "x");
  const source = openSource(path)!;
  expect(openEncoder("en", []).storedIn(source)).toBeUndefined();
  source.close();
});
