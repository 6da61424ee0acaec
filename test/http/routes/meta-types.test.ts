/** Meta types over HTTP, and their files. */
import { describe, expect, it } from "vitest";
import { contentProblems } from "../../../src/store/check/check.ts";
import { showProblem } from "../../../src/model/text/problem.ts";
import { memorySite, type MemorySite, type Role } from "../../site.ts";

const FAQ = {
  key: "faq",
  name: "FAQ",
  schema: [
    { name: "question", required: true },
    { name: "answer", kind: "html", translated: true },
  ],
};
const NOW = "2026-03-01T12:00:00Z";

const staff =
  (site: MemorySite) => async (method: string, path: string, body?: unknown, headers?: Record<string, string>) => {
    const answer = await site.ask(method, `api:${path}`, { as: "staff", body, headers });
    return {
      status: answer.status,
      body: answer.text === "" ? undefined : answer.body,
      etag: answer.headers.get("etag"),
    };
  };

describe("access", () => {
  const paths: [string, string][] = [
    ["GET", "meta-types"],
    ["POST", "meta-types"],
    ["GET", "meta-types/1"],
    ["PUT", "meta-types/1"],
    ["PATCH", "meta-types/1"],
    ["DELETE", "meta-types/1"],
    ["GET", "meta-types/1/schema"],
    ["POST", "meta-types/1/effects"],
    ["GET", "meta-instances"],
    ["POST", "meta-instances"],
    ["GET", "meta-instances/schema"],
    ["GET", "meta-instances/1"],
    ["PUT", "meta-instances/1"],
    ["PATCH", "meta-instances/1"],
    ["DELETE", "meta-instances/1"],
  ];

  it.each(paths)("%s %s is for staff", async (method, path) => {
    const site = await memorySite();
    const as = async (role: Role | null, slash = "") =>
      (await site.ask(method, `api:${path}${slash}`, { as: role })).status;
    expect(await as(null)).toBe(401);
    expect(await as("reader")).toBe(403);
    expect(await as("reader", "/")).toBe(403);
    for (const role of ["staff", "superuser"] as const) expect([200, 204, 400, 404]).toContain(await as(role));
  });
});

describe("a meta type", () => {
  it("is created, read, changed and deleted", async () => {
    const site = await memorySite();
    const call = staff(site);
    const made = await call("POST", "meta-types/", FAQ);
    const payload = {
      id: 2,
      key: "faq",
      name: "FAQ",
      description: "",
      schema: [
        { name: "question", label: "Question", required: true },
        { name: "answer", label: "Answer", kind: "html", translated: true },
      ],
      created_at: NOW,
      updated_at: NOW,
      compiled_at: NOW,
    };
    expect(made).toMatchObject({ status: 201, body: payload });
    expect(await call("GET", "meta-types/2/")).toMatchObject({ status: 200, body: payload, etag: made.etag });
    expect(await call("GET", "meta-types/")).toMatchObject({ status: 200, body: [payload] });
    expect(site.repo.text("content/meta-types/faq.yaml")).toBe(
      "id: 2\nkey: faq\nname: FAQ\ncreated_at: 2026-03-01T12:00:00.000Z\nschema:\n  - name: question\n    required: true\n  - name: answer\n    kind: html\n    translated: true\n",
    );
    site.clock.tick(1000);
    const changed = await call("PATCH", "meta-types/2/", { schema: [{ name: "question" }] });
    expect(changed.body).toMatchObject({
      key: "faq",
      schema: [{ name: "question", label: "Question" }],
      created_at: NOW,
      compiled_at: "2026-03-01T12:00:01Z",
    });
    expect(await call("DELETE", "meta-types/2/")).toMatchObject({ status: 204 });
    expect(await call("GET", "meta-types/2/")).toMatchObject({
      status: 404,
      body: { detail: "No MetaType matches the given query." },
    });
    expect(site.repo.text("content/meta-types/faq.yaml")).toBeUndefined();
  });

  it("can be written back unchanged", async () => {
    const site = await memorySite();
    const call = staff(site);
    const { body } = await call("POST", "meta-types/", { ...FAQ, description: "x" });
    const before = site.cms.store.current.commit;
    site.clock.tick(1000);
    for (const method of ["PUT", "PATCH"]) expect((await call(method, "meta-types/2/", body)).body).toEqual(body);
    expect(site.cms.store.current.commit).toBe(before);
  });

  it.each<[string, object, object]>([
    ["POST", {}, { key: ["This field is required."], name: ["This field is required."] }],
    [
      "POST",
      { key: "a b", name: "" },
      { key: [expect.stringContaining("valid")], name: ["This field may not be blank."] },
    ],
    [
      "POST",
      { key: null, name: null, schema: null },
      {
        key: ["This field may not be null."],
        name: ["This field may not be null."],
        schema: ["This field may not be null."],
      },
    ],
    [
      "POST",
      { key: "x".repeat(121), name: "x".repeat(201) },
      {
        key: ["Ensure this field has no more than 120 characters."],
        name: ["Ensure this field has no more than 200 characters."],
      },
    ],
    ["POST", { key: "FAQ", name: "x", schema: {} }, { schema: ['Expected a list of items but got type "dict".'] }],
    ["POST", { key: "new", name: "x", schema: [{ name: "ok" }, {}] }, { schema: [{}, { name: ["Field required"] }] }],
    [
      "POST",
      { key: "new", name: "x", schema: [{ name: "r", kind: "ref" }] },
      { schema: [["Value error, target_model is required when kind is 'ref'"]] },
    ],
    [
      "POST",
      { key: "new", name: "x", schema: [{ name: "r", kind: "ref", target_model: "pages.Nothing" }] },
      {
        schema: [
          { target_model: [expect.stringMatching(/^There is no model "pages.Nothing"\. There are cms\.Page, /)] },
        ],
      },
    ],
    ["POST", { key: "faq", name: "x" }, { key: ["meta type with this key already exists."] }],
    ["PUT", { key: "faq" }, { name: ["This field is required."] }],
    ["PATCH", { schema: null }, { schema: ["This field may not be null."] }],
  ])("%s %j is refused", async (method, body, errors) => {
    const site = await memorySite();
    const call = staff(site);
    const { body: made } = await call("POST", "meta-types/", FAQ);
    const before = site.cms.store.current.commit;
    expect(await call(method, method === "POST" ? "meta-types/" : `meta-types/${made.id}/`, body)).toMatchObject({
      status: 400,
      body: errors,
    });
    expect(site.cms.store.current.commit).toBe(before);
  });

  it("keeps values that PUT and PATCH do not send", async () => {
    const call = staff(await memorySite());
    const { body } = await call("POST", "meta-types/", { ...FAQ, description: "x" });
    expect((await call("PUT", `meta-types/${body.id}/`, { key: "faq", name: "Questions" })).body).toMatchObject({
      name: "Questions",
      description: "x",
      schema: body.schema,
    });
  });

  it.each(["[1]", '"x"', "null"])("%s is not a valid body", async (text) => {
    const site = await memorySite();
    const answer = await site.ask("POST", "api:meta-types/", {
      as: "staff",
      body: text,
      headers: { "content-type": "application/json" },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.non_field_errors[0]).toMatch(/Expected a dictionary/);
  });

  it("is changed only with a current ETag", async () => {
    const site = await memorySite();
    const call = staff(site);
    const { etag } = await call("POST", "meta-types/", FAQ);
    expect(await call("PATCH", "meta-types/2/", { name: "One" }, { "if-match": etag! })).toMatchObject({ status: 200 });
    const stale = await call("PATCH", "meta-types/2/", { name: "Two" }, { "if-match": etag! });
    expect(stale).toMatchObject({ status: 412, body: { detail: expect.any(String), current: expect.any(String) } });
    expect(await call("DELETE", "meta-types/2/", undefined, { "if-match": etag! })).toMatchObject({ status: 412 });
    expect(
      (
        await site.ask("GET", "api:meta-types/2", {
          as: "staff",
          headers: { "if-none-match": `"${stale.body.current}"` },
        })
      ).status,
    ).toBe(304);
  });

  it("with instances cannot be deleted", async () => {
    const call = staff(await memorySite());
    const { body: type } = await call("POST", "meta-types/", FAQ);
    const { body: one } = await call("POST", "meta-instances/", { meta_type: type.id, data: { question: "Why?" } });
    const { body: two } = await call("POST", "meta-instances/", { meta_type: type.id, data: { question: "How?" } });
    expect(await call("DELETE", `meta-types/${type.id}/`)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining("2 instances"), count: 2 },
    });
    for (const { id } of [one, two])
      expect(await call("DELETE", `meta-instances/${id}/`)).toMatchObject({ status: 204 });
    expect(await call("DELETE", `meta-types/${type.id}/`)).toMatchObject({ status: 204 });
  });

  it("affects the next write, and changes no instance", async () => {
    const site = await memorySite();
    const call = staff(site);
    const { body: type } = await call("POST", "meta-types/", FAQ);
    const { body: old } = await call("POST", "meta-instances/", { meta_type: type.id, data: { question: "Why?" } });
    const version = site.repo.text("content/meta-instances/faq/why.yaml");
    await call("PATCH", `meta-types/${type.id}/`, {
      schema: [...FAQ.schema, { name: "rank", kind: "integer", required: true }],
    });
    expect(site.repo.text("content/meta-instances/faq/why.yaml")).toBe(version);
    expect((await call("GET", `meta-instances/${old.id}/`)).body.data).toEqual({
      question: "Why?",
      answer: null,
      rank: null,
    });
    expect(await call("POST", "meta-instances/", { meta_type: type.id, data: { question: "How?" } })).toMatchObject({
      status: 400,
      body: { data: { rank: ["This field is required."] } },
    });
    expect(await call("PATCH", `meta-instances/${old.id}/`, { identifier: "why" })).toMatchObject({ status: 200 });
    expect((await call("GET", `meta-types/${type.id}/schema/`)).body.required).toEqual(["question", "rank"]);
  });

  it("keeps the instances in its folder when its key changes", async () => {
    const site = await memorySite({
      "content/meta-types/faq.yaml": "id: 5\nname: FAQ\nschema:\n  - name: question\n",
      "content/meta-instances/faq/a.yaml": "id: 6\ndata:\n  question: Why?\n",
    });
    const call = staff(site);
    expect((await call("GET", "meta-instances/6/")).body).toMatchObject({ meta_type: 5, data: { question: "Why?" } });
    await call("PATCH", "meta-types/5/", { key: "questions" });
    expect((await call("GET", "meta-instances/6/")).body).toMatchObject({ meta_type: 5 });
    expect(site.repo.text("content/meta-instances/faq/a.yaml")).toContain("meta_type: 5");
  });
});

describe("lists", () => {
  it("take the parameters of every list", async () => {
    const site = await memorySite();
    const call = staff(site);
    for (const key of ["faq", "team", "hours"]) {
      await call("POST", "meta-types/", { key, name: `The ${key}` });
      site.clock.tick(1000);
    }
    const keys = async (query: string) =>
      (await call("GET", `meta-types/?${query}`)).body.map(({ key }: { key: string }) => key);
    expect(await keys("")).toEqual(["hours", "team", "faq"]);
    expect(await keys("sort=key")).toEqual(["faq", "hours", "team"]);
    expect(await keys("search=the team")).toEqual(["team"]);
    expect(await keys("fltr=key=faq OR key=team&sort=id")).toEqual(["faq", "team"]);
    expect((await call("GET", "meta-types/?items=2&page=2&sort=key&fields=key")).body).toEqual({
      items: [{ key: "team" }],
      paginator: { count: 3, page: 2, has_next: false, has_previous: true, pages: 2, page_size: 2 },
    });
    expect(await call("GET", "meta-types/?sort=schema")).toMatchObject({
      status: 400,
      body: { sort: [expect.any(String)] },
    });
  });
});

describe("the schema", () => {
  it("is the same below the type and by parameter", async () => {
    const call = staff(await memorySite());
    const { body: type } = await call("POST", "meta-types/", FAQ);
    const { body } = await call("GET", `meta-types/${type.id}/schema/`);
    expect(body).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: `MetaType_${type.id}`,
      type: "object",
      required: ["question"],
    });
    expect((await call("GET", `meta-instances/schema/?meta_type=${type.id}`)).body).toEqual(body);
  });

  it.each([
    ["meta-instances/schema/", 400, { meta_type: "Query parameter required." }],
    ["meta-instances/schema/?meta_type=", 400, { meta_type: "Query parameter required." }],
    ["meta-instances/schema/?meta_type=99", 404, { detail: "MetaType not found" }],
    ["meta-instances/schema/?meta_type=abc", 404, { detail: "MetaType not found" }],
    ["meta-types/99/schema/", 404, { detail: "No MetaType matches the given query." }],
    ["meta-types/abc/schema/", 404, { detail: "Not found." }],
  ])("%s answers %d", async (path, status, body) => {
    expect(await staff(await memorySite())("GET", path)).toMatchObject({ status, body });
  });
});

describe("types written by hand", () => {
  it("may omit most keys", async () => {
    const site = await memorySite({ "content/meta-types/team.yaml": "schema:\n  - name: full_name\n" });
    const [type] = (await staff(site)("GET", "meta-types/")).body;
    expect(type).toMatchObject({ key: "team", name: "team", schema: [{ name: "full_name", label: "Full Name" }] });
  });

  it.each([
    [
      "schema:\n  - name: ok\n  - kind: colour\n    name: x\n",
      "content/meta-types/team.yaml:3:5: schema.1.kind: Input should be",
    ],
    ["schema:\n  - name: ok\n  - label: x\n", "content/meta-types/team.yaml:3:5: schema.1.name: Field required"],
    [
      "schema:\n  - name: g\n    kind: group\n    children:\n      - name: a\n      - name: a\n",
      'content/meta-types/team.yaml:6:9: schema.0.children.1.name: There is another field named "a".',
    ],
    [
      "schema:\n  - name: g\n    kind: group\n",
      "content/meta-types/team.yaml:2:5: schema.0: Value error, children is required when kind is 'group'",
    ],
    ["schema: 5\n", "content/meta-types/team.yaml:1:1: schema: Expected a list of items"],
    ["key: a b\nschema: []\n", "content/meta-types/team.yaml:1:1: key: Enter a valid"],
    ["schema: [\n", "content/meta-types/team.yaml:"],
  ])("%j is a problem with line and column, and the last good version stays", async (text, problem) => {
    const site = await memorySite({ "content/meta-types/team.yaml": "id: 9\nschema:\n  - name: full_name\n" });
    site.repo.write("content/meta-types/team.yaml", text);
    await site.cms.store.refresh();
    expect(site.cms.store.current.problems.map(showProblem)).toEqual([expect.stringContaining(problem)]);
    const call = staff(site);
    expect((await call("GET", "meta-types/9/")).body.schema).toEqual([{ name: "full_name", label: "Full Name" }]);
    expect(await call("PATCH", "meta-types/9/", { name: "Team" })).toMatchObject({ status: 409 });
    site.repo.write("content/meta-types/team.yaml", "id: 9\nschema:\n  - name: mended\n");
    await site.cms.store.refresh();
    expect(site.cms.store.current.problems).toEqual([]);
    expect((await call("GET", "meta-types/9/")).body.schema).toEqual([{ name: "mended", label: "Mended" }]);
  });

  it("keep their comments and order when the API changes them", async () => {
    const site = await memorySite({
      "content/meta-types/team.yaml": "# ours\nid: 9\nname: Team   # here\nschema:\n  # who\n  - { name: full_name }\n",
    });
    await staff(site)("PATCH", "meta-types/9/", { description: "Everybody" });
    const text = site.repo.text("content/meta-types/team.yaml")!;
    for (const kept of ["# ours\nid: 9\n", "name: Team   # here\n", "  # who\n  - { name: full_name }\n"])
      expect(text).toContain(kept);
  });

  it("may name missing page models, which cms check reports", async () => {
    const { cms } = await memorySite({
      "content/meta-types/team.yaml": "schema:\n  - name: where\n    kind: ref\n    target_model: pages.Event\nid: 3\n",
    });
    expect(cms.store.current.problems).toEqual([]);
    expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toEqual([
      expect.stringContaining(
        'content/meta-types/team.yaml:4:5: schema.0.target_model: There is no model "pages.Event". ',
      ),
    ]);
  });
});

describe("the effects of a change", () => {
  it("are what it would break and lose, and nothing is stored", async () => {
    const site = await memorySite();
    const call = staff(site);
    const schema = [
      { name: "name", required: true },
      { name: "price", kind: "number" },
      { name: "days", kind: "list", children: [{ name: "from" }, { name: "to" }] },
    ];
    const { body: type } = await call("POST", "meta-types/", { key: "boat", name: "Boat", schema });
    const boat = (identifier: string, data: object) =>
      call("POST", "meta-instances/", { meta_type: type.id, identifier, data });
    await boat("full", { name: "A", price: 3, days: [{ from: "1" }, { from: "2", to: "4" }] });
    await boat("bare", { name: "B", days: [{ from: "1" }] });
    const effects = async (next: object) => (await call("POST", `meta-types/${type.id}/effects/`, next)).body;

    expect(await effects({ name: "Ship" })).toEqual({ instances: 2, invalid: 0, examples: [], lost: [] });
    expect(await effects({ schema: [...schema, { name: "note" }] })).toMatchObject({ invalid: 0, lost: [] });
    const [name, , days] = schema;
    const narrower = [name, { ...days, children: [{ name: "from" }] }, { name: "berths", required: true }];
    expect(await effects({ schema: narrower })).toMatchObject({
      instances: 2,
      invalid: 2,
      examples: [
        { identifier: "bare", errors: { berths: expect.any(Array) } },
        { identifier: "full", errors: { berths: expect.any(Array) } },
      ],
      lost: [
        { field: "price", instances: 1 },
        { field: "days.to", instances: 1 },
      ],
    });
    const refused = await call("POST", `meta-types/${type.id}/effects/`, { schema: [{ kind: "string" }] });
    expect(refused).toMatchObject({ status: 400, body: { schema: [{ name: ["Field required"] }] } });
    expect((await call("GET", `meta-types/${type.id}/`)).body).toEqual(type);
  });
});
