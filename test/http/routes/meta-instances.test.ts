/** Meta instances over HTTP and in files: every kind by create, PATCH and by hand. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { allProblems, contentProblems } from "../../../src/store/check/check.ts";
import { stringifyYaml } from "../../../src/store/codec/yaml/yaml-print.ts";
import { BLOCK_FILES, FIELD_CASES, GONE, MEDIA_ID, PAGE_ID, TAG_ID } from "../../model/fields/field-cases.ts";
import { memorySite } from "../../site.ts";

const TYPE_ID = 51;
const INSTANCE_ID = 61;
const FILES = {
  [`content/media/a.svg.yaml`]: `id: ${MEDIA_ID}\ntranslations:\n  en:\n    alt_text: A\n`,
  "media/a.svg": "no picture",
  "content/pages/about.yaml": `id: ${PAGE_ID}\ntranslations:\n  en:\n    title: About\n    permalink: /about\n    published_at: 2026-01-01T00:00:00Z\n  it:\n    title: Chi siamo\n    permalink: /chi-siamo\n`,
  "content/tags/wind.yaml": `id: ${TAG_ID}\ntranslations:\n  en:\n    name: Wind\n`,
};

const typeFile = (schema: readonly object[]): string => stringifyYaml({ id: TYPE_ID, key: "any", schema } as never, "");

/** A site with one type, and calls as staff. */
async function siteWith(schema: readonly object[], more: Record<string, string> = {}) {
  const site = await memorySite({ ...FILES, ...BLOCK_FILES, "content/meta-types/any.yaml": typeFile(schema), ...more });
  const call = async (method: string, path: string, body?: unknown) => {
    const answer = await site.ask(method, `api:${path}`, { as: "staff", body });
    return { status: answer.status, body: answer.text === "" ? undefined : answer.body };
  };
  const create = (data: unknown) => call("POST", "meta-instances/", { meta_type: TYPE_ID, data });
  return { ...site, call, create };
}

const messages = (errors: unknown): unknown => (typeof errors === "string" ? [errors] : errors);

describe.each(Object.entries(FIELD_CASES))("%s", (_name, { field, valid, invalid }) => {
  const schema = [{ name: "it", ...field }];

  it("is validated equally by create, PATCH, PUT and in files", async () => {
    const site = await siteWith(schema);
    const { body: first } = await site.create({});
    for (const [sent, kept] of valid) {
      const made = await site.create({ it: sent });
      expect(made, JSON.stringify(sent)).toMatchObject({ status: 201 });
      const patched = await site.call("PATCH", `meta-instances/${first.id}/`, { data: { it: sent } });
      expect(patched.body.data, JSON.stringify(sent)).toEqual(made.body.data);
      // The stored form is valid input, with the same answer as the sent form.
      expect((await site.create({ it: kept })).body.data).toEqual(made.body.data);
      // Writing an answer back changes nothing.
      const { commit } = site.cms.store.current;
      expect((await site.call("PUT", `meta-instances/${first.id}/`, patched.body)).body).toEqual(patched.body);
      expect(site.cms.store.current.commit).toBe(commit);
    }
    const before = site.cms.store.current.commit;
    for (const [sent, errors] of invalid) {
      const refusal = { status: 400, body: { data: { it: messages(errors) } } };
      expect(await site.create({ it: sent })).toEqual(refusal);
      expect(await site.call("PATCH", `meta-instances/${first.id}/`, { data: { it: sent } })).toEqual(refusal);
      expect(await site.call("PUT", `meta-instances/${first.id}/`, { meta_type: TYPE_ID, data: { it: sent } })).toEqual(
        refusal,
      );
    }
    expect(site.cms.store.current.commit).toBe(before);
  });

  it("is served from hand-written files, and invalid values are reported", async () => {
    const files = (values: readonly (readonly [unknown, unknown])[], from: number): [string, string][] =>
      values.map(([sent], at) => [
        `content/meta-instances/any/${from + at}.yaml`,
        stringifyYaml({ id: from + at, data: { it: sent } } as never, ""),
      ]);
    const good = await siteWith(schema, Object.fromEntries(files(valid, 1000)));
    const found = (await contentProblems(good.cms.store, good.cms.locales)).map(showProblem);
    expect(found.filter((line) => !line.includes("has no field"))).toEqual([]);
    const { body: made } = await good.create({ it: valid[0]![0] });
    expect((await good.call("GET", "meta-instances/1000/")).body.data).toEqual(made.data);

    const bad = await siteWith(schema, Object.fromEntries(files(invalid, 2000)));
    // A text in place of an id is a name.
    expect(
      bad.cms.store.current.problems.map(showProblem).filter((line) => !/: (There is no|No page has)/.test(line)),
    ).toEqual([]);
    expect((await bad.call("GET", "meta-instances/")).body).toHaveLength(invalid.length);
    const told = (await allProblems(bad.cms.store, bad.cms.locales)).map(showProblem);
    for (let at = 0; at < invalid.length; at++) {
      expect(
        told.filter((line) =>
          new RegExp(`^content/meta-instances/any/${2000 + at}\\.yaml:\\d+:\\d+: (warning: )?data\\.it`).test(line),
        ),
        JSON.stringify(invalid[at]),
      ).not.toEqual([]);
    }
  });
});

describe("an instance", () => {
  const TEAM = [
    { name: "name", required: true },
    { name: "photo", kind: "media" },
    { name: "page", kind: "ref", target_model: "cms.Page", required: true },
    { name: "tags", kind: "queryset", target_model: "cms.Tag" },
    { name: "more", kind: "permalink" },
    { name: "boss", kind: "ref", target_model: "cms.MetaInstance" },
  ];
  const data = {
    name: "Ada",
    photo: MEDIA_ID,
    page: PAGE_ID,
    tags: [TAG_ID],
    more: { link_type: "RE", url_node: PAGE_ID },
  };

  it("shows its references in full", async () => {
    const { create, call, repo } = await siteWith(TEAM);
    const { body } = await create(data);
    expect(body).toMatchObject({
      meta_type: TYPE_ID,
      identifier: "",
      created_at: "2026-03-01T12:00:00Z",
      updated_at: "2026-03-01T12:00:00Z",
    });
    expect(body.data).toMatchObject({
      name: "Ada",
      photo: { model: "cms.Media", id: MEDIA_ID, alt_text: "A" },
      page: {
        model: "cms.Page",
        id: PAGE_ID,
        title: "About",
        permalink: "/about",
        routerlink: "/about/",
        status: "PUB",
        url_node: { id: PAGE_ID },
      },
      tags: [{ model: "cms.Tag", id: TAG_ID, name: "Wind" }],
      more: {
        link_type: "RE",
        url_node: { id: PAGE_ID, permalink: "/about", related_name: "cms_page" },
        url: "/about/",
      },
      boss: null,
    });
    expect(
      Object.values(body.data.page).filter((value) => typeof value === "object" && value !== null && "title" in value),
    ).toEqual([]);
    expect(repo.text("content/meta-instances/any/ada.yaml")).toContain(
      `data:\n  name: Ada\n  photo: ${MEDIA_ID}\n  page: ${PAGE_ID}\n  tags:\n    - ${TAG_ID}\n  more:\n    link_type: RE\n    url_node: ${PAGE_ID}\n`,
    );
    // In another language links have other addresses, without a write.
    expect((await call("GET", `meta-instances/${body.id}/?language=it`)).body.data).toMatchObject({
      page: { title: "Chi siamo" },
      more: { url: "/it/chi-siamo/" },
    });
    await call("PATCH", `pages/${PAGE_ID}/`, { title: "Us" });
    expect((await call("GET", `meta-instances/${body.id}/`)).body.data).toMatchObject({
      page: { title: "Us" },
      more: { url: "/us/" },
    });
  });

  it("shows null for missing targets, and can be written back", async () => {
    const { create, call, cms } = await siteWith(TEAM);
    const { body } = await create(data);
    await call("DELETE", `pages/${PAGE_ID}/`);
    await call("DELETE", `tags/${TAG_ID}/`);
    const { body: after } = await call("GET", `meta-instances/${body.id}/`);
    expect(after.data).toMatchObject({
      name: "Ada",
      page: null,
      tags: [],
      more: { link_type: "RE", url_node: { id: PAGE_ID, permalink: null, related_name: null }, url: null },
    });
    expect(
      (await contentProblems(cms.store, cms.locales)).map(showProblem).map((line) => line.replace(/:\d+:\d+/, "")),
    ).toEqual(
      expect.arrayContaining([
        `content/meta-instances/any/ada.yaml: warning: data.page: There is no cms.Page ${PAGE_ID}: null is shown in its place.`,
        `content/meta-instances/any/ada.yaml: warning: data.tags.0: There is no cms.Tag ${TAG_ID}: null is shown in its place.`,
        `content/meta-instances/any/ada.yaml: warning: data.more.url_node: There is no page ${PAGE_ID}: the link has no URL.`,
      ]),
    );
    expect(await call("PUT", `meta-instances/${body.id}/`, after)).toMatchObject({
      status: 200,
      body: { data: after.data },
    });
    // The link keeps its page's id.
    expect((await contentProblems(cms.store, cms.locales)).map(({ message }) => message)).toEqual([
      `data.more.url_node: There is no page ${PAGE_ID}: the link has no URL.`,
    ]);
  });

  it("shows only the name of an account", async () => {
    const { create, token, call } = await siteWith([{ name: "who", kind: "ref", target_model: "auth.user" }]);
    await token("staff");
    const { body: me } = await call("GET", "users/current/");
    const { body } = await create({ who: me.id });
    expect(body.data.who).toEqual({ model: "auth.User", id: me.id, username: "staff", first_name: "", last_name: "" });
    expect(await create({ who: GONE })).toMatchObject({
      status: 400,
      body: { data: { who: [`Invalid pk "${GONE}" - object does not exist.`] } },
    });
  });

  it("with circular references is finite", async () => {
    const { create, call } = await siteWith(TEAM);
    const { body: one } = await create(data);
    const { body: two } = await create({ ...data, name: "Eve", boss: one.id });
    await call("PATCH", `meta-instances/${one.id}/`, { data: { ...data, boss: two.id } });
    expect((await call("GET", `meta-instances/${one.id}/`)).body.data.boss).toMatchObject({
      model: "cms.MetaInstance",
      id: two.id,
      data: { name: "Eve", boss: one.id },
    });
  });

  it.each<[string, unknown, object]>([
    ["POST", {}, { meta_type: ["This field is required."], data: ["This field is required."] }],
    ["POST", { meta_type: null, data: null }, { meta_type: ["This field may not be null."] }],
    ["POST", { meta_type: 99, data: {} }, { meta_type: ['Invalid pk "99" - object does not exist.'] }],
    ["POST", { meta_type: "x", data: {} }, { meta_type: ["Incorrect type. Expected pk value, received str."] }],
    ["POST", { meta_type: TYPE_ID, data: null }, { data: ["This field may not be null."] }],
    [
      "POST",
      { meta_type: TYPE_ID, data: 5, identifier: [] },
      { data: ["Invalid data. Expected a dictionary, but got int."], identifier: ["Not a valid string."] },
    ],
    [
      "POST",
      { meta_type: TYPE_ID, data: [], identifier: "x".repeat(201) },
      {
        data: { name: ["This field is required."], page: ["This field is required."] },
        identifier: ["Ensure this field has no more than 200 characters."],
      },
    ],
    ["PUT", { data }, { meta_type: ["This field is required."] }],
    ["PUT", { meta_type: TYPE_ID }, { data: ["This field is required."] }],
    ["PATCH", { meta_type: 99 }, { meta_type: ['Invalid pk "99" - object does not exist.'] }],
  ])("%s %j is refused", async (method, body, errors) => {
    const { create, call, cms } = await siteWith(TEAM);
    const { body: made } = await create(data);
    const before = cms.store.current.commit;
    expect(
      await call(method, method === "POST" ? "meta-instances/" : `meta-instances/${made.id}/`, body),
    ).toMatchObject({ status: 400, body: errors });
    expect(cms.store.current.commit).toBe(before);
  });

  it("keeps its data in a PATCH without data, and drops keys missing in a PATCH with data", async () => {
    const { create, call } = await siteWith(TEAM);
    const { body } = await create(data);
    expect((await call("PATCH", `meta-instances/${body.id}/`, { identifier: "ada" })).body).toMatchObject({
      identifier: "ada",
      data: body.data,
    });
    expect(
      (await call("PATCH", `meta-instances/${body.id}/`, { data: { name: "Eve", page: PAGE_ID } })).body.data,
    ).toMatchObject({ name: "Eve", photo: null, tags: [], more: null });
  });

  it("is validated again when its type changes", async () => {
    const { create, call } = await siteWith(TEAM);
    const { body } = await create(data);
    const { body: other } = await call("POST", "meta-types/", {
      key: "other",
      name: "Other",
      schema: [{ name: "name", max_length: 2 }],
    });
    expect(await call("PATCH", `meta-instances/${body.id}/`, { meta_type: other.id })).toMatchObject({
      status: 400,
      body: { data: { name: ["Ensure this field has no more than 2 characters."] } },
    });
    expect(
      (await call("PATCH", `meta-instances/${body.id}/`, { meta_type: other.id, data: { name: "Ad" } })).body,
    ).toMatchObject({ meta_type: other.id, data: { name: "Ad" } });
    expect((await call("DELETE", `meta-types/${TYPE_ID}/`)).status).toBe(204);
  });

  it("is found by its data", async () => {
    const { create, call, clock } = await siteWith([
      { name: "name" },
      { name: "price", kind: "number" },
      { name: "in", kind: "group", children: [{ name: "on", kind: "date" }] },
      { name: "text", translated: true },
    ]);
    for (const [name, price, on] of [
      ["Ada", "3", "2026-01-01"],
      ["Eve", 10, "2026-02-01"],
      ["Bob", 2.5, null],
    ]) {
      await create({ name, price, in: { on }, text: { en: `about ${name}` } });
      clock.tick(1000);
    }
    const names = async (query: string) =>
      (await call("GET", `meta-instances/?${query}`)).body.map((one: { data: { name: string } }) => one.data.name);
    expect(await names("")).toEqual(["Bob", "Eve", "Ada"]);
    expect(await names("sort=data__price")).toEqual(["Bob", "Ada", "Eve"]);
    expect(await names("fltr=data__price__gte=3&sort=data__name")).toEqual(["Ada", "Eve"]);
    expect(await names("fltr=data__in__on=2026-02-01")).toEqual(["Eve"]);
    expect(await names("fltr=meta_type__key=any&sort=id")).toEqual(["Ada", "Eve", "Bob"]);
    expect(await names(`fltr=meta_type=${TYPE_ID + 1}`)).toEqual([]);
    expect(await names("search=ABOUT EVE")).toEqual(["Eve"]);
    expect((await call("GET", "meta-instances/?items=1&sort=data__name&fields=data")).body).toMatchObject({
      items: [{ data: { name: "Ada" } }],
      paginator: { count: 3, pages: 3 },
    });
    expect(await call("GET", "meta-instances/?fltr=nothing=1")).toMatchObject({
      status: 400,
      body: { fltr: [expect.any(String)] },
    });
  });

  it("written by hand belongs to the type named by its folder, at any depth", async () => {
    const { call, cms } = await siteWith(TEAM, {
      "content/meta-instances/any/2026/ada.yaml": `id: ${INSTANCE_ID}\ndata:\n  name: Ada\n  page: ${PAGE_ID}\n  colour: red\n`,
      "content/meta-instances/none/x.yaml": "id: 1001\ndata:\n  free: 1\n",
      "content/meta-instances/loose.yaml": "id: 1002\ndata: {}\n",
    });
    expect((await call("GET", `meta-instances/${INSTANCE_ID}/`)).body).toMatchObject({
      meta_type: TYPE_ID,
      data: { name: "Ada", colour: "red" },
      created_at: "1970-01-01T00:00:00Z",
    });
    expect((await contentProblems(cms.store, cms.locales)).map(showProblem).sort()).toEqual([
      'content/meta-instances/any/2026/ada.yaml:5:3: data.colour: The meta type "any" has no field "colour".',
      expect.stringContaining("content/meta-instances/loose.yaml: meta_type: The file is in no folder of a meta type"),
      expect.stringContaining(
        'content/meta-instances/none/x.yaml: meta_type: There is no meta type with the key "none"',
      ),
    ]);
    const strange = (await call("GET", "meta-instances/?fltr=meta_type__isnull=true AND data__free=1")).body;
    expect(strange).toMatchObject([{ meta_type: null, data: { free: 1 } }]);
    expect(await call("PATCH", `meta-instances/${strange[0].id}/`, { data: {} })).toMatchObject({
      status: 400,
      body: { meta_type: ["This field is required."] },
    });
    expect(await call("PATCH", `meta-instances/${strange[0].id}/`, { identifier: "x" })).toMatchObject({ status: 200 });
  });

  it("may use the full depth of JSON and files, and no more", async () => {
    let schema: object = { name: "leaf", kind: "integer" };
    let nested: unknown = { leaf: 7 };
    for (let n = 0; n < 25; n++)
      [schema, nested] = [{ name: "in", kind: "list", children: [schema] }, { in: [nested] }];
    const { create } = await siteWith([schema]);
    const made = await create(nested);
    expect(made).toMatchObject({ status: 201, body: { data: nested } });
  });

  it("makes one commit per write, naming type and instance", async () => {
    const { create, call, cms } = await siteWith(TEAM);
    const { body } = await create(data);
    await call("PATCH", `meta-instances/${body.id}/`, { identifier: "ada" });
    await call("DELETE", `meta-instances/${body.id}/`);
    const subjects = [];
    for await (const entry of cms.store.repo.log(cms.store.current.commit!, null, ["content"]))
      subjects.push(entry.message.split("\n")[0]);
    expect(subjects.slice(0, 3)).toEqual(['Delete any "ada"', 'Change any "ada"', `Create any ${body.id}`]);
  });
});

it("an instance outside of any folder, without a type, can be changed", async () => {
  const site = await memorySite({ "content/meta-instances/lost.yaml": "id: 9\nidentifier: lost\n" });
  const changed = await site.api("PATCH", "meta-instances/9/", { identifier: "found" });
  expect(changed).toMatchObject({ identifier: "found", meta_type: null });
  expect(site.repo.text("content/meta-instances/lost.yaml")).toContain("identifier: found");
});
