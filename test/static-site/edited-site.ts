/** A site on disk with enough pages for the content cache; each start has the caches of the one before. */
import { cpSync, mkdtempSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import type { BuildOptions } from "../../src/static-site/input.ts";
import type { Report } from "../../src/static-site/report.ts";
import { openCms, type Cms } from "../../src/cms.ts";
import { defaultConfig, type Config } from "../../src/config.ts";
import { silentLog, systemEnv } from "../../src/env.ts";
import { instantOf, msOf, type Instant } from "../../src/model/time/instant.ts";
import { gitSite, type GitSite } from "../store/git/git-site.ts";
import { buildTree, emptyDir, filesIn } from "./build-site.ts";

export const SITE_PAGES = 60;

export interface EditedSite {
  readonly dir: string;
  readonly git: GitSite;
  /** Settings and moment of the next start. */
  config: Config;
  now: Instant;
  /** Every file has a time of its own, long enough ago to be relied on; `isYoung` as if its clock were ahead. */
  save(path: string, text: string, isYoung?: boolean): void;
  remove(path: string): void;
  open(): Promise<Cms>;
  build(out: string, options?: Partial<BuildOptions>): Promise<Report>;
  /** Opens a copy that has no caches of earlier starts, for as long as the work takes. */
  fresh<T>(work: (cms: Cms) => T | Promise<T>): Promise<T>;
  /** Everything built from such a copy. */
  buildFresh(out: string): Promise<Report>;
}

export const pageFile = (n: number): string => `content/pages/${n % 3 ? "a" : "b"}/p${n}.yaml`;

/** @param more keys at the top, each with its line break */
export const pageText = (id: number, { title = `P${id}`, permalink = `/p${id}`, more = "", text = "" } = {}): string =>
  `id: ${id}\n${more}date_created: 2026-01-01T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: ${permalink}\n    autopermalink: false\n    published_at: 2026-01-02T00:00:00.000Z\n${text}  it:\n    title: I${title}\n    permalink: ${permalink}\n    autopermalink: false\n    published_at: 2026-01-02T00:00:00.000Z\n`;

/** What every page says at first beside its texts. */
export const moreOf = (n: number): string =>
  `${n % 10 ? `parent_page: ${n - (n % 10) + 10}\n` : ""}${n % 7 ? "" : "template: listing.html\n"}`;

/** @param files beside the pages 1 to 60, of which each tenth has the others of its ten below it, and each seventh lists articles */
export function editedSite(files: Readonly<Record<string, string>> = {}): EditedSite {
  const pages = Array.from({ length: SITE_PAGES }, (_, at) => at + 1).map(
    (n) => [pageFile(n), pageText(n, { more: moreOf(n) })] as const,
  );
  const git = gitSite({ ...Object.fromEntries(pages), ...files });
  const { dir } = git;
  onTestFinished(() => git.remove());
  let ticks = 0;
  const long = Date.now() - 3_600_000;
  const settle = (path: string, isYoung = false): void => {
    const at = new Date(isYoung ? Date.now() + 3_600_000 : long + ++ticks * 1000 + 1);
    utimesSync(join(dir, path), at, at);
  };
  for (const path of [...pages.map(([each]) => each), ...Object.keys(files)]) settle(path);
  const site: EditedSite = {
    dir,
    git,
    config: defaultConfig({
      LANGUAGES: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
      BASE_URL: "http://test.local",
    }),
    now: instantOf(msOf("2026-03-01T12:00:00.000Z" as Instant)),
    save(path, text, isYoung) {
      site.remove(path); // whatever it is
      git.save(path, text);
      settle(path, isYoung);
    },
    remove: (path) => rmSync(join(dir, path), { force: true, recursive: true }),
    open: () => openAt(dir, site),
    async build(out, options) {
      const cms = await site.open();
      try {
        return await buildTree({ cms, clock: { now: () => site.now } }, out, options);
      } finally {
        await cms.close();
      }
    },
    async fresh(work) {
      const copy = mkdtempSync(join(tmpdir(), "cms-copy-"));
      try {
        cpSync(dir, copy, {
          recursive: true,
          filter: (path) => path !== join(dir, ".git/cms"),
          preserveTimestamps: true,
        });
        const cms = await openAt(copy, site);
        try {
          return await work(cms);
        } finally {
          await cms.close();
        }
      } finally {
        rmSync(copy, { recursive: true, force: true });
      }
    },
    buildFresh: (out) => site.fresh((cms) => buildTree({ cms, clock: { now: () => site.now } }, out, { full: true })),
  };
  return site;
}

const openAt = (dir: string, { config, now }: EditedSite): Promise<Cms> =>
  openCms(dir, {
    config,
    env: { ...systemEnv(silentLog), now: () => now },
    readOnly: true,
  });

/** Such a site, built once. */
export async function builtEditedSite(
  files: Readonly<Record<string, string>>,
): Promise<EditedSite & { readonly out: string }> {
  const site = editedSite(files);
  const out = emptyDir();
  await site.build(out);
  return Object.assign(site, { out });
}

/** What was built is what a copy that knows of nothing builds. */
export async function expectWhole(site: EditedSite & { readonly out: string }): Promise<void> {
  const whole = emptyDir();
  await site.buildFresh(whole);
  expect(filesIn(site.out)).toEqual(filesIn(whole));
}
