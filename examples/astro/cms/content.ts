/** The content of the site, from the public API. Pages that did not change are not fetched again. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import type { AnyPublicPage, Manifest, Menu, PublicAnswer } from "./cms-types";

/** Where the service runs, without a final slash. */
export const CMS_URL = process.env.CMS_URL ?? "http://127.0.0.1:8000";

const FILE = ".cms/content.json";
/** Requests at a time. */
const AT_ONCE = 8;

export interface Entry {
  /** Public path of the page. */
  readonly path: string;
  /** Of the payload, from the manifest. */
  readonly hash: string;
  readonly page: AnyPublicPage;
}

export interface Content {
  /** Payloads have absolute addresses of this service. */
  readonly service: string;
  readonly languages: readonly { readonly id: string; readonly name: string }[];
  /** By language. */
  readonly menus: Readonly<Record<string, Menu>>;
  readonly entries: readonly Entry[];
  readonly redirects: Manifest["redirects"];
}

/** The content as it was fetched last; undefined before the first time. */
export const lastContent = (): Content | undefined =>
  existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : undefined;

/** Fetches what changed since the last time. @throws when the service does not answer */
export async function fetchContent(): Promise<Content> {
  const last = lastContent();
  const known = new Map(last?.service === CMS_URL ? last.entries.map((entry) => [entry.path, entry]) : []);
  const { languages } = await ask<Pick<Content, "languages">>("languages");
  const menus = await inTurn(
    languages,
    1,
    async ({ id }) => [id, await ask<Menu>(`menus-router/main?language=${id}`)] as const,
  );
  const { urls, redirects } = await ask<Manifest>("pages-router/changes");
  const entries = await inTurn(urls, AT_ONCE, async ({ path, hash }) => {
    const before = known.get(path);
    return before?.hash === hash
      ? before
      : { path, hash, page: pageIn(await ask<PublicAnswer>(`pages-router${path}`)) };
  });
  const content = { service: CMS_URL, languages, menus: Object.fromEntries(menus), entries, redirects };
  mkdirSync(".cms", { recursive: true });
  writeFileSync(FILE, JSON.stringify(content));
  return content;
}

async function ask<T>(path: string): Promise<T> {
  const answer = await fetch(`${CMS_URL}/api/cms/${path}`);
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** A page of the manifest moves only while it is fetched. */
function pageIn(answer: PublicAnswer): AnyPublicPage {
  if ("redirect" in answer) throw new Error(`A page moved to ${answer.redirect} during the build: build again.`);
  return answer;
}

/** Like `map`, with a limited number of calls at a time. */
async function inTurn<T, R>(items: readonly T[], atOnce: number, call: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += atOnce)
    results.push(...(await Promise.all(items.slice(at, at + atOnce).map(call))));
  return results;
}
