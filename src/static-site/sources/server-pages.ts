/**
 * The public pages of a running service, all of the same time where possible.
 *
 * Each payload should have the hash in the manifest. If one does not, content changed meanwhile, and the manifest is
 * fetched again. A service that is written to all the time always is ahead of it: after some rounds the newer payloads
 * are taken, and `isOneTime` is false. Payloads are kept on disk, in the output of an earlier build or in a cache
 * folder, so that only changed ones are fetched and memory does not grow with the site.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setup } from "../../errors.ts";
import type { ListPlace } from "../../model/address/list-address.ts";
import { isObject, own, type JsonObject } from "../../model/input/json.ts";
import { digestPayload, textHash } from "../../views/manifest/json-digest.ts";
import type { Manifest } from "../../views/manifest/manifest.ts";
import type { Client } from "./server-client.ts";
import { replaceText } from "../output/output-files.ts";
import { fileIn, folderOfPath } from "../output/output-path.ts";

export type ServerUrl = Manifest["urls"][number];

/** The fields of a page that are kept in memory. */
export interface ServerPage extends ServerUrl {
  readonly id: number;
  /** For a page with a list: which page of the list it is. */
  readonly place?: ListPlace;
  readonly parent: number | null;
  readonly ordering: number;
  readonly related: string;
  readonly published: string;
  readonly tags: readonly number[];
  /** Root-relative URLs by language, including its own. */
  readonly links: Readonly<Record<string, string>>;
}

export interface ServerPages {
  readonly manifest: Manifest;
  /** False when some pages are newer than the manifest. */
  readonly isOneTime: boolean;
  /** In the order of the manifest, with the hashes of their own payloads. */
  readonly pages: readonly ServerPage[];
  /** The canonical text of a page's payload. */
  text(page: ServerUrl): string;
}

export interface ServerPlaces {
  /** Output of an earlier build. */
  readonly out: string;
  /** Fetched payloads by hash. */
  readonly cache: string;
  readonly mediaUrl: string;
  /** Possible origins of absolute media URLs. */
  readonly origins: readonly string[];
}

const ROUNDS = 10;

/** @throws CmsError `setup` when the service has no manifest, or a payload never has the hash that it names */
export async function readPages(client: Client, places: ServerPlaces): Promise<ServerPages> {
  mkdirSync(places.cache, { recursive: true });
  const differences = new Set<string>();
  for (let round = 1; ; round++) {
    const manifest = await client.json<Manifest>("pages-router/changes");
    if (!manifest) throw setup(`${client.origin} has no change manifest.`);
    // The service answers with the redirect, not with the page.
    const redirected = new Set(manifest.redirects.map(({ from }) => from));
    const paths = new Set<string>();
    const urls = manifest.urls.filter(
      ({ path, hash }) => /^[0-9a-f]{40}$/.test(hash) && !redirected.has(path) && !paths.has(path) && paths.add(path),
    );
    const pages = await Promise.all(urls.map((url) => readPage(client, places, url)));
    const different = urls
      .map(({ path, hash }, at) => ({ path, hash, found: pages[at]?.hash }))
      .filter(({ hash, found }) => found !== hash);
    differences.add(JSON.stringify(different));
    const isOneTime = different.length === 0;
    if (!isOneTime && round < ROUNDS) continue;
    // Content that changes does not leave the same difference each time; a proxy that changes answers does.
    const wrong = differences.size === 1 ? different.find(({ found }) => found !== undefined) : undefined;
    if (wrong) {
      const place = client.origin + wrong.path;
      throw setup(`${place} never has the payload that the manifest names: is it changed on the way?`);
    }
    const found = pages.filter((page) => page !== undefined);
    return { manifest, isOneTime, pages: found, text: (page) => storedText(places, page)! };
  }
}

/** @returns the page as it is now, maybe with another hash; undefined when its path leads elsewhere or nowhere now */
async function readPage(client: Client, places: ServerPlaces, url: ServerUrl): Promise<ServerPage | undefined> {
  const stored = storedText(places, url);
  if (stored !== undefined) return pageOf(url, JSON.parse(stored) as JsonObject);
  const fetched = await client.text(`pages-router${url.path.split("/").map(encodeURIComponent).join("/")}`);
  if (fetched === undefined) return undefined;
  const payload: unknown = JSON.parse(
    places.origins.reduce((text, origin) => text.replaceAll(origin + places.mediaUrl, places.mediaUrl), fetched),
  );
  if (!isObject(payload) || typeof payload.id !== "number") return undefined;
  const { text, hash } = digestPayload(payload);
  replaceText(join(places.cache, `${hash}.json`), text);
  return pageOf({ ...url, hash }, payload);
}

/** A payload with the right hash that is on disk. */
function storedText({ out, cache, mediaUrl }: ServerPlaces, { path, hash }: ServerUrl): string | undefined {
  const folder = folderOfPath(path, mediaUrl);
  for (const file of [
    join(cache, `${hash}.json`),
    ...(folder === undefined ? [] : [join(out, fileIn(folder, "index.json"))]),
  ]) {
    try {
      const text = readFileSync(file, "utf8");
      if (textHash(text) === hash) return text;
    } catch {
      // Absent or unreadable: it is fetched.
    }
  }
  return undefined;
}

function pageOf(url: ServerUrl, payload: JsonObject): ServerPage {
  const parent = payload.parent_page;
  const tags = Array.isArray(payload.tags) ? (payload.tags as readonly JsonObject[]) : [];
  const links = Object.entries({ ...(payload.alternates as JsonObject), [url.language_code]: payload.routerlink });
  return {
    ...url,
    id: Number(payload.id),
    ...(isObject(payload.pagination) && { place: placeIn(payload.pagination) }),
    parent: isObject(parent) ? Number(own(parent, "id")) : typeof parent === "number" ? parent : null,
    ordering: Number(payload.ordering),
    related: String(payload.related_name),
    published: payload.published_at === null ? "" : new Date(String(payload.published_at)).toISOString(),
    tags: tags.map(({ id }) => Number(id)),
    links: Object.fromEntries(links.filter(([, link]) => typeof link === "string")) as Record<string, string>,
  };
}

const placeIn = ({ number, group }: JsonObject): ListPlace => ({
  number: Number(number),
  ...(isObject(group ?? null) && { group: Number((group as JsonObject).key) }),
});
