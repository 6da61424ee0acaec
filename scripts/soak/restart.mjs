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

/** @returns a sentence for each list that differs, with the ids of records that only one of the two has */
export function differences(before, after, where) {
  const found = [];
  for (const [list, text] of before) {
    const other = after.get(list);
    if (text === other) continue;
    const at = [...text].findIndex((char, index) => char !== other[index]);
    const around = (whole) => whole.slice(Math.max(0, at - SHOWN), at + SHOWN);
    found.push(
      `${where}, ${list} differs:${idsOfDifferent(text, other)}\n${around(other)}\n--- instead of\n${around(text)}`,
    );
  }
  return found;
}

/** Empty for answers that are no lists of records. */
function idsOfDifferent(before, after) {
  const [one, other] = [before, after].map((text) => {
    const body = text.startsWith("200 [") ? JSON.parse(text.slice(4)) : [];
    return new Map(body.map((record) => [record.id, JSON.stringify(record)]));
  });
  const only = (some, others) => [...some.keys()].filter((id) => !others.has(id));
  const changed = [...one.keys()].filter((id) => other.has(id) && one.get(id) !== other.get(id));
  return ` gone ${only(one, other).join()}; come ${only(other, one).join()}; changed ${changed.join()}`;
}
