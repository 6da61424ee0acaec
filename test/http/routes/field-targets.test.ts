/** References that take some records of a model only: those of a page model, below a page, of a meta type. */
import { expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { contentProblems } from "../../../src/store/check/check.ts";
import { memorySite } from "../../site.ts";

const page = (id: number, title: string, more = "", text = ""): string =>
  `id: ${id}\nidentifier: p${id}\n${more}translations:\n  en: { title: ${title}, permalink: /${title.toLowerCase()}, autopermalink: false${text} }\n`;
const TARGETS = {
  room: "ref, target_model: cms.Page, target: { model: room }",
  exhibition: "ref, target_model: cms.Page, target: { below: /exhibitions/ }",
  news: "queryset, target_model: cms.Article, target: { below: /journal }",
  guide: "ref, target_model: cms.MetaInstance, target: { meta_type: person }",
};
const SCHEMA = `schema:\n${Object.entries(TARGETS)
  .map(([name, of]) => `  - { name: ${name}, kind: ${of} }\n`)
  .join("")}`;

const SITE = {
  "content/page-models/room.yaml": "schema: []\n",
  "content/page-models/tour.yaml": SCHEMA,
  "content/meta-types/person.yaml": "id: 50\nkey: person\nname: Person\nschema: [{ name: x }]\n",
  "content/meta-types/place.yaml": "id: 51\nkey: place\nname: Place\nschema: [{ name: x }]\n",
  "content/meta-instances/person/ada.yaml": "id: 60\nidentifier: ada\ndata: {}\n",
  "content/meta-instances/place/hall.yaml": "id: 61\nidentifier: hall\ndata: {}\n",
  "content/pages/exhibitions.yaml": page(1, "Exhibitions", "aliases: [{ language: en, from: /shows }]\n"),
  "content/pages/fog.yaml": page(2, "Fog", "parent_page: 1\n"),
  "content/pages/deep.yaml": page(3, "Deep", "parent_page: 2\n"),
  "content/pages/blue.yaml": page(4, "Blue", "model: room\n"),
  "content/pages/journal.yaml": page(5, "Journal"),
  "content/articles/in.yaml": page(6, "In", "parent_page: 5\n"),
  "content/articles/out.yaml": page(7, "Out"),
  "content/pages/tour.yaml": page(8, "Tour", "model: tour\n"),
};

it("take these, and refuse others with what may be chosen", async () => {
  const { api, ask } = await memorySite(SITE);
  const save = (data: object) => ask("PATCH", "api:models/tour/8/", { as: "staff", body: { template_data: data } });
  expect((await save({ room: 4, exhibition: 3, news: [6], guide: 60 })).status).toBe(200);
  const refused = await save({ room: 2, exhibition: 1, news: [6, 7], guide: 61 });
  expect([refused.status, refused.body]).toEqual([
    400,
    {
      template_data_en: {
        room: ['Invalid pk "2" - only records of the page model "room" can be chosen.'],
        exhibition: ['Invalid pk "1" - only records below /exhibitions can be chosen.'],
        news: { 1: ['Invalid pk "7" - only records below /journal can be chosen.'] },
        guide: ['Invalid pk "61" - only records of the meta type "person" can be chosen.'],
      },
    },
  ]);
  const draft = await ask("PATCH", "api:models/tour/8/draft/", { as: "staff", body: { template_data: { room: 2 } } });
  expect(draft.status).toBe(400);
  expect(await api("GET", "models/tour/8/")).toMatchObject({
    template_data: { room: { id: 4, model: "pages.room" }, exhibition: { id: 3 }, guide: { id: 60 } },
  });
});

it("follow a page that is renamed", async () => {
  const { api, ask } = await memorySite(SITE);
  await api("PATCH", "pages/1/", { permalink_en: "/now" });
  const body = { template_data: { exhibition: 2 } };
  expect((await ask("PATCH", "api:models/tour/8/", { as: "staff", body })).status).toBe(200);
});

it.each([
  ["pages/?fltr=above__permalink='/exhibitions'", [2, 3]],
  ["pages/?fltr=above__permalink='/shows'", [2, 3]],
  ["pages/?fltr=above__permalink='/fog'", [3]],
  ["articles/?fltr=above__permalink='/journal'", [6]],
  ['meta-instances/?fltr=meta_type__key="person"', [60]],
])("are listed by %s", async (path, ids) => {
  const found = await (await memorySite(SITE)).api("GET", path);
  expect(found.map(({ id }: { id: number }) => id).sort()).toEqual(ids);
});

it("are in the schema, and the check names what they lack and what they have wrongly", async () => {
  const { api, cms } = await memorySite({
    ...SITE,
    "content/pages/tour.yaml": page(8, "Tour", "model: tour\n", ", template_data: { exhibition: 4, room: 4 }"),
    "content/meta-types/walk.yaml":
      "id: 52\nkey: walk\nname: Walk\nschema:\n  - { name: a, kind: ref, target_model: cms.Page, target: { below: /gone } }\n" +
      "  - { name: b, kind: ref, target_model: cms.MetaInstance, target: { meta_type: gone } }\n" +
      "  - { name: c, kind: ref, target_model: cms.Page, target: { model: gone } }\n",
  });
  const found = (await contentProblems(cms.store, cms.locales)).map(showProblem);
  expect(found).toContainEqual(
    expect.stringMatching(
      /^content\/pages\/tour.yaml:.* warning: .*exhibition: 4 is none of the records below \/exhibitions\.$/,
    ),
  );
  expect(found.filter((each) => each.includes("walk.yaml"))).toEqual([
    expect.stringContaining("schema.2.target.model: The name of a page model is expected."),
  ]);
  const models: { name: string; schema: object[] }[] = await api("GET", "page-models/");
  expect(models.find(({ name }) => name === "tour")?.schema[1]).toMatchObject({ target: { below: "/exhibitions" } });
});

it("of a page or type that there is not are problems of their definition", async () => {
  const field = (of: string): string => `  - { name: a${of.length}, kind: ref, ${of} }\n`;
  const { cms } = await memorySite({
    "content/page-models/walk.yaml":
      "schema:\n" +
      field("target_model: cms.Page, target: { below: /gone }") +
      field("target_model: cms.MetaInstance, target: { meta_type: gone }"),
  });
  expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toEqual([
    expect.stringMatching(/walk.yaml:.*schema.0.target: There is no page at "\/gone"\.$/),
    expect.stringMatching(/walk.yaml:.*schema.1.target: There is no meta type with the key "gone"\.$/),
  ]);
});
