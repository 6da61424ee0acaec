/**
 * A kind of record from one declaration alone, added to the registry for this file.
 */
import { expect, it, vi } from "vitest";
import type { RecordDeclaration } from "../../../src/model/records/record.ts";
import { memorySite } from "../../site.ts";

const { PLACE } = vi.hoisted(() => ({
  PLACE: {
    name: "Place",
    label: "place",
    path: "places",
    fields: [
      { name: "name", type: "text", translated: true, max: 40, default: null, nullable: true, required: true },
      { name: "code", type: "text", max: 8, default: "", required: true, unique: true },
      { name: "beds", type: "integer", default: 0 },
      { name: "picture", type: "reference", target: "cms.Media", default: null, nullable: true },
    ],
    title: "name",
    search: ["name", "code"],
    order: ["code", "id"],
  } as const satisfies RecordDeclaration,
}));

vi.mock("../../../src/model/records/records.ts", async (load) => {
  const real = await load<typeof import("../../../src/model/records/records.ts")>();
  return { ...real, RECORDS: [...real.RECORDS, PLACE] };
});

const SEA = { name_en: "Sea room", name_it: "Stanza sul mare", code: "S1", beds: 2 };

it("is created, read, listed, changed and deleted, and is one file of YAML", async () => {
  const { api, ask, repo } = await memorySite();
  const made = await api("POST", "places/", SEA);
  const { id } = made;
  expect(made).toEqual({
    id,
    name: "Sea room",
    code: "S1",
    beds: 2,
    picture: null,
    translations: { en: { name: "Sea room" }, it: { name: "Stanza sul mare" } },
  });
  const file = "content/places/sea-room.yaml";
  expect(repo.text(file)).toBe(
    `id: ${id}\ncode: S1\nbeds: 2\ntranslations:\n  en:\n    name: Sea room\n  it:\n    name: Stanza sul mare\n`,
  );
  await api("POST", "places/", { name: "Attic", code: "A1" });
  const codes = async (query: string) => (await api("GET", `places/?${query}`)).map((each: typeof SEA) => each.code);
  expect(await codes("")).toEqual(["A1", "S1"]);
  expect(await codes("sort=-code")).toEqual(["S1", "A1"]);
  expect(await codes("fltr=beds__gt=1")).toEqual(["S1"]);
  expect(await codes("fltr=name_it__icontains=mare")).toEqual(["S1"]);
  expect(await codes("search=attic")).toEqual(["A1"]);
  expect((await api("GET", "places/?items=1&page=2&fields=code")).items).toEqual([{ code: "S1" }]);

  expect(await api("PATCH", `places/${id}/?language=it`, { name: "Mare", beds: 0 })).toMatchObject({ name: "Mare" });
  expect(repo.text(file)).toBe(
    `id: ${id}\ncode: S1\ntranslations:\n  en:\n    name: Sea room\n  it:\n    name: Mare\n`,
  );
  expect((await ask("DELETE", `api:places/${id}/`, { as: "staff" })).status).toBe(204);
  expect(repo.text(file)).toBeUndefined();
  expect((await ask("GET", `api:places/${id}/`, { as: "staff" })).status).toBe(404);
});

it.each([
  [{}, { name_en: ["This field is required."], code: ["This field is required."] }],
  [{ name: "x", code: "S1" }, { code: ["place with this code already exists."] }],
  [{ name: "x".repeat(41), code: "C" }, { name_en: ["Ensure this field has no more than 40 characters."] }],
  [{ name: "x", code: "C", beds: "many" }, { beds: ["A valid integer is required."] }],
  [{ name: "x", code: "C", picture: 999 }, { picture: ['Invalid pk "999" - object does not exist.'] }],
  [{ name: "x", code: "C", bed: 1 }, { bed: ["Unknown field. Did you mean `beds`?"] }],
])("refuses %j", async (body, errors) => {
  const { api, ask } = await memorySite();
  await api("POST", "places/", SEA);
  const answer = await ask("POST", "api:places/", { as: "staff", body });
  expect([answer.status, answer.body]).toEqual([400, errors]);
});

it("has versions, permissions, a file checked at load, a model for references, and is described", async () => {
  const site = await memorySite({
    "content/places/loft.yaml": "id: 7\ncode: L1\ntranslations: { en: { name: Loft } }\n",
    "content/places/wrong.yaml": "id: 8\nbeds: many\n",
    "content/meta-types/stay.yaml": "id: 9\nschema: [{ name: where, kind: ref, target_model: cms.Place }]\n",
    "content/meta-instances/stay/one.yaml": "id: 10\ndata: { where: 7 }\n",
  });
  const { api, ask } = site;
  expect(site.cms.store.current.problems.map(({ path }) => path)).toEqual(["content/places/wrong.yaml"]);
  const read = await ask("GET", "api:places/7/", { as: "reader" });
  const etag = read.headers.get("etag")!;
  expect((await ask("GET", "api:places/7/", { as: "reader", headers: { "if-none-match": etag } })).status).toBe(304);
  const change = (headers: Record<string, string>) =>
    ask("PATCH", "api:places/7/", { as: "staff", body: { beds: 3 }, headers });
  expect((await change({ "if-match": '"other"' })).status).toBe(412);
  expect((await change({ "if-match": etag })).status).toBe(200);
  expect((await change({ "if-match": etag })).status).toBe(412);

  expect((await ask("GET", "api:places/")).status).toBe(401);
  for (const [method, path] of [
    ["POST", "places/"],
    ["POST", "places/bulk_delete/"],
    ["PUT", "places/7/"],
    ["PATCH", "places/7/"],
    ["DELETE", "places/7/"],
  ] as const)
    expect((await ask(method, `api:${path}`, { as: "reader", body: {} })).status).toBe(403);
  const codenames = (await api("GET", "permissions/")).map((each: { codename: string }) => each.codename);
  expect(codenames.slice(-4)).toEqual(["add_place", "change_place", "delete_place", "view_place"]);

  expect((await api("GET", "meta-instances/10/")).data.where).toMatchObject({
    model: "cms.Place",
    id: 7,
    name: "Loft",
  });
  expect(await api("GET", "")).toHaveProperty("places");
  const { paths, components } = (await ask("GET", "api:openapi/?format=openapi-json")).body;
  expect(Object.keys(paths["/api/cms/places/{id}/"])).toEqual(["get", "put", "patch", "delete"]);
  expect(components.schemas.NewPlace.required).toEqual(["code"]);
  expect(components.schemas.PlaceInput.properties).toMatchObject({
    code: { type: "string", maxLength: 8 },
    beds: { type: "integer", minimum: 0 },
    translations: { properties: { en: { properties: { name: { type: "string", maxLength: 40 } } } } },
  });
});
