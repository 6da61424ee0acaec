/**
 * Every route that reads, by an account that sees one section: nothing of what it does not see is in an answer.
 *
 * A new route fails here until it has a request.
 */
import { expect, it } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { ROUTER_ROUTES } from "../../src/http/public/routers.ts";
import { API_ROUTES } from "../../src/http/routes/api-routes.ts";
import { memorySite } from "../site.ts";

/** In every text of what the account does not see. */
const SECRET = "Zanzibar";

const FILES = {
  "content/roles.yaml": "roles: { elsewhere: { rules: [{ may: [view, edit, comment], below: /section }] } }\n",
  "content/pages/section.yaml":
    "id: 1\ntranslations: { en: { title: Section, permalink: /section, published_at: 2026-01-01T00:00:00Z } }\n",
  "content/pages/hidden.yaml": `id: 2\nmodel: event\ntranslations: { en: { title: ${SECRET}, permalink: /zanzibar } }\n`,
  "content/pages/hidden.draft.en.yaml": `payload: { title: ${SECRET} two }\ncreated_at: 2026-01-01T00:00:00Z\nupdated_at: 2026-01-01T00:00:00Z\nscheduled_for: 2026-12-01T00:00:00Z\n`,
  "content/articles/hidden.yaml": `id: 3\ntags: [4]\ntranslations: { en: { title: ${SECRET} } }\n`,
  "content/tags/hidden.yaml": `id: 4\ntranslations: { en: { name: ${SECRET} } }\n`,
  "content/menus/hidden.yaml": `id: 5\nkey: hidden\nenabled: false\ntranslations: { en: { nodes: [{ title: ${SECRET}, link: { link_type: ST, static: /x } }] } }\n`,
  "content/contents/hidden.yaml": `id: 6\nidentifier: hidden\ntranslations: { en: { content: ${SECRET} } }\n`,
  "content/meta-types/kind.yaml": "id: 7\nkey: kind\nname: Kind\nschema: [{ name: label }]\n",
  "content/meta-instances/kind/hidden.yaml": `id: 8\nmeta_type: 7\ndata: { label: ${SECRET} }\n`,
  "content/releases/hidden.yaml": `id: 9\ncomment: ${SECRET}\npublish_at: 2026-12-02T00:00:00Z\nitems: [{ page: 2, language: en }]\n`,
  "content/threads/10.yaml": `id: 10\npage: 2\nlanguage: en\ncomments: [{ id: 1, by: ann, at: 2026-01-01T00:00:00Z, text: ${SECRET} }]\n`,
  "content/reviews/hidden.yaml": `id: 11\ntitle: ${SECRET}\nby: ann\nat: 2026-01-01T00:00:00Z\nitems: [{ page: 2, language: en, hash: "1" }]\ndecisions: []\n`,
  "content/page-models/event.yaml": "schema: []\n",
  "content/block-types/quote.yaml": "schema: []\n",
  "media/hidden.txt": SECRET,
  "content/media/hidden.txt.yaml": `id: 12\ntranslations: { en: { title: ${SECRET} } }\n`,
};

/** What stands for the parameters of a path, by its first part. */
const IDS: Readonly<Record<string, string>> = {
  pages: "2",
  articles: "3",
  models: "2",
  tags: "4",
  menus: "hidden",
  "menus-router": "hidden",
  contents: "6",
  "meta-types": "7",
  "meta-instances": "8",
  releases: "hidden",
  threads: "10",
  reviews: "hidden",
  "block-types": "quote",
  media: "12",
  "media-folder": "1",
  "media-folders": "1",
  permissions: "1",
  users: "1",
  auth: "nobody",
};

/** Queries that a route needs, or by which more is found. */
const QUERIES: Readonly<Record<string, string>> = {
  search: "?q=zanziba",
  "search-router": "?q=zanziba",
  "menus/search_urlnode": "?q=zanziba",
  compare: "?from=main",
  "reviews/of/:id": "?language=en",
};

it.each(["", "at=main", "as_of=2026-12-03T00:00:00Z"])("shows nothing of another section: %s", async (content) => {
  const site = await memorySite(FILES);
  const { accounts, store } = site.cms;
  const token = async (rights: object, username: string): Promise<Record<string, string>> => ({
    authorization: `Token ${await tokenOf(accounts, await addUser(accounts, { username, password: "open sesame", ...rights }))}`,
  });
  const [narrow, wide] = [await token({ roles: ["elsewhere"] }, "narrow"), await token({ roles: ["editor"] }, "wide")];
  const version = store.current.commit!;
  const paths = [...API_ROUTES.filter(({ isAliased }) => !isAliased), ...ROUTER_ROUTES]
    .filter(({ method }) => method === "GET")
    .map(({ path }) => path);
  const shown: string[] = [];
  let seen = 0;
  for (const path of new Set(paths)) {
    const [first = ""] = path.split("/");
    const filled = path.replace("**", "zanzibar/").replace(/:(\w+)/g, (_, name: string) => {
      const id = name === "model" ? "event" : name === "version" ? version : name === "comment" ? "1" : IDS[first];
      if (path.startsWith("reviews/of/")) return "2";
      if (id === undefined) throw new Error(`${path} has a parameter that this test does not know.`);
      return path === "menus/page_types/:type" ? "1" : id;
    });
    const query = [QUERIES[path]?.slice(1), content].filter(Boolean).join("&");
    const address = `api:${filled}${first.startsWith("pages-router") || filled === "" ? "" : "/"}${query && `?${query}`}`;
    const answer = await site.ask("GET", address, { headers: narrow });
    expect([address, answer.status < 500]).toEqual([address, true]);
    const isFound = new RegExp(SECRET, "i").test(answer.text.replaceAll(/"query":"[^"]*"/g, ""));
    // What anyone is told, such as a menu by its key, is public for this account, too.
    if (isFound && (await site.ask("GET", address)).text !== answer.text) shown.push(address);
    const whole = await site.ask("GET", address, { headers: wide });
    if (whole.text.includes(SECRET)) seen++;
  }
  expect(shown).toEqual([]);
  // What is hidden is there for others.
  expect(seen).toBeGreaterThan(content === "" ? 35 : 15);
});
