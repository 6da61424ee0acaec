/** What a service shows of every record must be the same after a restart without caches and in a fresh clone. */
import { rmSync } from "node:fs";
import { join } from "node:path";

const CACHES = ["content.cache", "stat.cache", "history.json"];
const LISTS = [
  ...["pages/", "articles/", "tags/", "menus/", "contents/", "meta-types/", "meta-instances/"],
  ...["media/", "media-folders/", "releases/", "redirects/", "conflicts/", "pages-router/changes"],
];
const SERVER_TIME = /"server_time":"[^"]*",/;
const SHOWN = 300;

/** @returns by list, the text of the answer, once no scheduled draft is due */
export async function shownBy(url, token) {
  const site = url.replace(/\/$/, "");
  const headers = { authorization: `Token ${token}` };
  await fetch(`${site}/api/cms/pages-router/publish-due`, { method: "POST", headers });
  const shown = new Map();
  for (const list of LISTS) {
    const response = await fetch(`${site}/api/cms/${list}`, { headers });
    const text = (await response.text()).replaceAll(site, "").replace(SERVER_TIME, "");
    shown.set(list, `${response.status} ${text}`);
  }
  return shown;
}

/** Of a service that is not running. */
export function removeCaches(root) {
  for (const name of CACHES) rmSync(join(root, ".git/cms", name), { force: true });
}

/** @returns a sentence for each list that differs */
export function differences(before, after, where) {
  const found = [];
  for (const [list, text] of before) {
    const other = after.get(list);
    if (text === other) continue;
    const at = [...text].findIndex((char, index) => char !== other[index]);
    const around = (whole) => whole.slice(Math.max(0, at - SHOWN), at + SHOWN);
    found.push(`${where}, ${list} differs:\n${around(other)}\n--- instead of\n${around(text)}`);
  }
  return found;
}
