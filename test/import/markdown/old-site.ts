/** Folders of Markdown that are imported into a site in memory, and what its pages then are. */
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { SERVICE } from "../../../src/actions/context.ts";
import type { ImportReport } from "../../../src/import/import-report.ts";
import { importSite } from "../../../src/import/import-site.ts";
import type { DialectName } from "../../../src/import/markdown/generators/dialect.ts";
import { readMarkdownSite } from "../../../src/import/markdown/markdown-site.ts";
import { severityOf } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite, temporaryFolder, type MemorySite } from "../../site.ts";
import { buildTree, emptyDir } from "../../static-site/build-site.ts";
import { picture } from "../../support/markdown-sites.ts";

/** A picture in place of a text. */
export const PICTURE = Symbol("picture");

export type OldFiles = Readonly<Record<string, string | Buffer | typeof PICTURE>>;

export interface Imported extends Omit<MemorySite, "page"> {
  readonly report: ImportReport;
  /** Imports the same folder again. */
  again(): Promise<ImportReport>;
  /** The public page at a path. */
  // oxlint-disable-next-line typescript/no-explicit-any
  page(path: string): Promise<any>;
  /** `file:line: message` of what could not be carried. */
  readonly remarks: readonly string[];
  /** Where each old address leads: to a path of the site, or to "nothing". */
  leads(addresses: readonly string[]): Promise<Record<string, string>>;
}

const LANGUAGES = [
  { id: "en", name: "English" },
  { id: "it", name: "Italiano" },
];

/** @param from the generator that has to be detected, or is named where `isNamed` */
export async function importFolder(
  from: DialectName,
  files: OldFiles,
  isNamed = false,
  own: Readonly<Record<string, string>> = {},
): Promise<Imported> {
  const dir = await temporaryFolder();
  let at = 0;
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), text === PICTURE ? await picture(at++) : text);
  }
  const site = await memorySite(own, { LANGUAGES });
  const run = async (): Promise<ImportReport> => {
    const { locales } = site.cms;
    const read = await readMarkdownSite(dir, { from: isNamed ? from : undefined, locales });
    expect(read.dialect).toBe(from);
    return importSite(site.cms, SERVICE, read.site, { name: "old" });
  };
  const report = await run();
  expect(report.records.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  const problems = await contentProblems(site.cms.store, site.cms.locales, { mediaUrl: "/media/" });
  expect(problems.filter((problem) => severityOf(problem) === "error")).toEqual([]);
  const answer = async (path: string) => (await site.ask("GET", `api:pages-router${path}`)).body;
  return {
    ...site,
    report,
    again: run,
    page: answer,
    remarks: report.remarks.map(
      ({ file, line, message }) => `${file}${line === undefined ? "" : `:${line}`}: ${message}`,
    ),
    leads: (addresses) => leadsIn(site, addresses),
  };
}

type Leads = Promise<Record<string, string>>;

/** Where addresses lead in the running service. */
export async function leadsIn({ ask, repo }: Omit<MemorySite, "page">, addresses: readonly string[]): Leads {
  const leadsTo = async (address: string): Promise<string> => {
    if (address.startsWith("/media/")) return (await repo.read(address.slice(1))) ? address : "nothing";
    // oxlint-disable-next-line typescript/no-explicit-any
    const { redirect, id }: any = (await ask("GET", `api:pages-router${address}`)).body;
    if (redirect !== undefined) return leadsTo(redirect);
    return id === undefined ? "nothing" : decodeURI(address);
  };
  const found = addresses.map(async (each) => [each, await leadsTo(encodeURI(each))] as const);
  return Object.fromEntries(await Promise.all(found));
}

interface Row {
  readonly from: string;
  readonly to: string;
}

/** Where addresses lead in a build: to a file, at once or by the redirects that it lists. */
export async function leadsInBuild(
  site: Parameters<typeof buildTree>[0],
  addresses: readonly string[],
): Promise<Record<string, string>> {
  const out = emptyDir();
  await buildTree(site, out, { html: false });
  const rows: readonly Row[] = JSON.parse(readFileSync(join(out, "redirects.json"), "utf8"));
  const bare = (path: string): string => path.replace(/\/$/, "") || "/";
  const leadsTo = (address: string, hops = 0): string => {
    if (address.startsWith("/media/")) return address;
    const path = bare(address);
    if (existsSync(join(out, path, "index.json"))) return path === "/" ? "/" : `${path}/`;
    const row = rows.find(({ from }) => bare(from) === path);
    return row && hops < 5 ? leadsTo(row.to, hops + 1) : "nothing";
  };
  return Object.fromEntries(addresses.map((address) => [address, leadsTo(address)]));
}

/** Links and pictures in texts of the site that lead nowhere. */
export async function deadLinks({ api, leads }: Imported): Promise<string[]> {
  const all = [...(await api("GET", "pages/")), ...(await api("GET", "articles/"))];
  const texts = all.flatMap(({ translations }) =>
    // oxlint-disable-next-line typescript/no-explicit-any
    Object.values(translations).flatMap((text: any) => [text.content ?? "", text.template_data?.body ?? ""]),
  );
  const links = texts.flatMap((text) => [...String(text).matchAll(/\]\((\/[^\s)#?]*)/g)].map((match) => match[1]!));
  return Object.entries(await leads([...new Set(links)].map(decodeURI))).flatMap(([address, to]) =>
    to === "nothing" ? [address] : [],
  );
}

/** Imports again, and expects nothing to change. */
export async function expectUnchanged({ again, report }: Imported): Promise<void> {
  const second = await again();
  expect(second).toMatchObject({ committed: false, records: [], counts: { created: 0, updated: 0 } });
  expect(second.counts.unchanged).toBe(report.counts.created);
}
