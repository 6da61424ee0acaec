/** Fixed addresses of links: the same rule in menus, typed `template_data` and meta instances, for writes and reads. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite } from "../../site.ts";

const REFUSED = [
  "Enter a path of this site, an http or https address with a host, or one of another scheme, such as mailto, tel or sms, " +
    "but not javascript, vbscript, livescript, mocha, data, blob, filesystem, file, view-source, jar, mhtml or about.",
];
const HOSTILE = [
  "javascript:alert(1)",
  "data:text/html,x",
  "//evil.example",
  "/\\evil.example",
  "\tjavascript:alert(1)",
  " /about",
];
const HARMLESS = [
  "https://example.org/",
  "mailto:a@example.org",
  "tel:+39061234",
  "sms:+39061234",
  "/about/",
  "#top",
  "",
];

const link = (address: string): object => ({ link_type: "ST", static: address });
const TYPES = {
  "content/page-models/event.yaml": "schema:\n  - { name: more, kind: permalink }\n",
  "content/meta-types/team.yaml": "id: 9\nname: Team\nkey: team\nschema:\n  - { name: more, kind: permalink }\n",
};

/** Where a link is written: path, body, and the position of the error in the answer. */
const PLACES: readonly (readonly [string, string, (address: string) => object, object])[] = [
  [
    "a menu",
    "menus/",
    (address) => ({ key: "main", nodes: [{ title: "T", link: link(address) }] }),
    { nodes_en: [{ link: REFUSED }] },
  ],
  [
    "a menu's second level",
    "menus/",
    (address) => ({ key: "main", nodes: [{ link: link("/"), nodes: [{ link: link(address) }] }] }),
    { nodes_en: [{ nodes: [{ link: REFUSED }] }] },
  ],
  [
    "a page",
    "pages/",
    (address) => ({ model: "event", title: "E", template_data: { more: link(address) } }),
    { template_data_en: { more: { static: REFUSED } } },
  ],
  [
    "an instance",
    "meta-instances/",
    (address) => ({ meta_type: 9, data: { more: link(address) } }),
    { data: { more: { static: REFUSED } } },
  ],
];

describe.each(PLACES)("in %s", (_what, path, body, errors) => {
  it.each(HOSTILE)("%j is refused", async (address) => {
    const { ask } = await memorySite(TYPES);
    const answer = await ask("POST", `api:${path}`, { as: "staff", body: body(address) });
    expect([answer.status, answer.body]).toEqual([400, errors]);
  });

  it.each(HARMLESS)("%j is stored unchanged", async (address) => {
    const { ask } = await memorySite(TYPES);
    const answer = await ask("POST", `api:${path}`, { as: "staff", body: body(address) });
    expect([answer.status, answer.text]).toEqual([
      201,
      expect.stringContaining(`"static":"${address}","url":"${address}"`),
    ]);
  });
});

describe("in a file", () => {
  it.each(HOSTILE)("%j is shown only to editors, has no URL, and is reported by cms check", async (address) => {
    const more = `more: { link_type: ST, static: ${JSON.stringify(address)} }`;
    const { ask, api, page, cms } = await memorySite({
      ...TYPES,
      "content/menus/main.yaml": `id: 4\nkey: main\ntranslations: { en: { nodes: [{ title: T, link: { link_type: ST, static: ${JSON.stringify(address)} } }] } }\n`,
      "content/pages/event.yaml": `id: 5\nmodel: event\ntranslations:\n  en:\n    title: Event\n    published_at: 2026-01-01T00:00:00Z\n    template_data: { ${more} }\n`,
      "content/meta-instances/team/a.yaml": `id: 6\ndata: { ${more} }\n`,
    });
    await page({ title: "Other" }, ["en"]);
    const hidden = { link_type: "ST", static: null, url: null };
    expect((await ask("GET", "api:menus-router/main")).body.nodes[0].link).toEqual(hidden);
    expect((await ask("GET", "api:pages-router/event/")).body.template_data.more).toEqual(hidden);
    const seen = { link_type: "ST", static: address, url: null };
    expect((await api("GET", "menus/main/")).nodes[0].link).toEqual(seen);
    expect((await api("GET", "meta-instances/6/")).data.more).toEqual(seen);
    const told = (await contentProblems(cms.store, cms.locales)).map(showProblem);
    for (const file of ["menus/main", "pages/event", "meta-instances/team/a"])
      expect(told).toContainEqual(
        expect.stringMatching(new RegExp(`^content/${file}\\.yaml.*${REFUSED[0]!.slice(0, -1)}`)),
      );
  });
});
