/** The digest of a record does not depend on how it was read: a build after a start from the cache renders nothing. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDependencies, RECORD, TABLE } from "../../src/static-site/dependencies.ts";
import { treeSource } from "../../src/static-site/sources/tree.ts";
import { KINDS, openCms } from "../../src/cms.ts";
import { defaultConfig } from "../../src/config.ts";
import type { Instant } from "../../src/model/time/instant.ts";
import { gitSite, quietEnv } from "../store/git/git-site.ts";

const PAGES = 60;
const config = defaultConfig({ LANGUAGES: [{ id: "en", name: "English" }] });
const now = "2026-01-01T00:00:00.000Z" as Instant;

it.each([
  ["that say all themselves", "    permalink: /p\n    autopermalink: false\n"],
  ["whose permalink is derived", ""],
])("is the same for pages %s", async (_what, more) => {
  const lang = config.locales.default;
  const text = (n: number): string =>
    `id: ${1000 + n}\nmeta:\n  b: 1\n  a: 2\ntags: []\ntranslations:\n  ${lang}:\n    title: P${n}\n    template_data:\n      z: 1\n      body: x\n${more.replace("/p", `/p${n}`)}`;
  const { dir, remove } = gitSite(
    Object.fromEntries(Array.from({ length: PAGES }, (_, n) => [`content/pages/p${n}.yaml`, text(n)])),
  );
  onTestFinished(remove);
  const stamps = async (): Promise<string[]> => {
    const cms = await openCms(dir, { config, env: quietEnv() });
    const { digest } = treeSource({
      root: dir,
      content: cms.store.current,
      kinds: KINDS,
      config,
      now,
      epoch: async () => null,
      dependencies: openDependencies(),
    });
    const found = [
      digest([TABLE, "", "Page"]),
      ...Array.from({ length: PAGES }, (_, n) => digest([RECORD, "", "Page", 1000 + n])),
    ];
    await cms.close();
    return found;
  };
  expect(existsSync(join(dir, ".git/cms/content.cache"))).toBe(false);
  const parsed = await stamps();
  expect(existsSync(join(dir, ".git/cms/content.cache"))).toBe(true);
  expect(await stamps()).toEqual(parsed);
  expect(new Set(parsed).size).toBe(PAGES + 1);
});
