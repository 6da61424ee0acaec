/** Lists with pages, instances and references to them are the same in `cms build`, in `cms build --server` and served. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { cms, emptyFolder, serve, site, tokenFor } from "../cli/process.ts";
import { filesIn } from "./build-site.ts";

const page = (id: number, permalink: string, more = ""): string =>
  `id: ${id}\n${more}date_created: 2026-01-01T00:00:00Z\ntranslations:\n` +
  ["en", "it"]
    .map((lang) => `  ${lang}: { title: Page ${id}, permalink: ${permalink}, published_at: 2026-01-01T00:00:00Z }\n`)
    .join("");

/** Sections with texts in two languages, one of them in another section, and one that is hidden. */
const PARTS =
  "[{ type: note, id: b1, says: { en: hello, it: ciao } }, { type: note, id: b2, hidden: true, says: { en: no, it: no } }, " +
  "{ type: pair, id: b3, both: [{ type: note, id: b4, says: { en: bye, it: addio } }] }]";

const FILES: Readonly<Record<string, string>> = {
  "cms.config.yaml": "LANGUAGE_CODE: en\nLANGUAGES: { en: English, it: Italiano }\n",
  "content/meta-types/room.yaml":
    "name: Room\nschema:\n  - { name: bio, kind: string, translated: true }\n" +
    "  - { name: next, kind: ref, target_model: cms.MetaInstance }\n  - { name: parts, kind: blocks }\n",
  "content/block-types/note.yaml": "schema: [{ name: says, kind: string, translated: true }]\n",
  "content/block-types/pair.yaml": "schema: [{ name: both, kind: blocks }]\n",
  ...Object.fromEntries(
    ["delta", "alpha", "Charlie", "bravo"].map((name) => [
      `content/meta-instances/room/${name}.yaml`,
      `identifier: ${name}\ndata: { bio: { en: ${name}, it: ${name} in Italian }${name === "alpha" ? `, next: delta, parts: ${PARTS}` : ""} }\n`,
    ]),
  ),
  "content/page-models/room.yaml":
    "default_template: room.html\nschema: [{ name: room, kind: ref, target_model: cms.MetaInstance }]\n",
  "content/pages/room.yaml": page(1, "/room", "model: room\n").replaceAll(
    "title:",
    "template_data: { room: bravo }, title:",
  ),
  "content/pages/rooms.yaml": page(
    2,
    "/rooms",
    "template: list.html\npaginate: { of: instances, type: room, size: 3 }\n",
  ),
  "content/pages/journal.yaml": page(
    3,
    "/journal",
    "template: list.html\npaginate: { of: articles, size: 2, each: tags }\n",
  ),
  "content/tags/7.yaml": "id: 7\ntranslations: { en: { name: Clay }, it: { name: Argilla } }\n",
  ...Object.fromEntries(
    [11, 12, 13].map((id) => [`content/articles/a${id}.yaml`, page(id, `/a${id}`, "template: list.html\ntags: [7]\n")]),
  ),
  "templates/room.html":
    '{% for each in pages(model="room", where="ordering=0", sort="title", limit=2) %}{{ each.title }}{% endfor %}' +
    '{{ page.template_data.room.data.bio }}|{% for each in instances("room") %}{{ each.data.bio }} {{ each.data.next.data.bio }},{% for part in each.data.parts %}{% if not part.hidden %}{{ part.says }}{{ part.both[0].says }} {% endif %}{% endfor %}{% endfor %}',
  "templates/list.html":
    "{% for each in pagination.items %}{{ each.title }}{{ each.data.bio }}{{ each.data.next.data.bio }},{% endfor %}" +
    "{{ pagination.number }}/{{ pagination.count }}{{ pagination.next }}{{ pagination.group.title }}" +
    "{% for each in pagination.groups %}{{ each.title }} {{ each.address }} {{ each.count }}{% endfor %}" +
    '{% for each in page.tags %}{{ group_link("/journal", each) }}{{ group_link("/journal", 1) }}{% endfor %}' +
    '{% for each in list_groups("/journal") %}{{ each.address }} {{ each.count }}{% endfor %}',
};

it("has the same bytes, in files and served", { timeout: 240_000 }, async () => {
  const made = site();
  made.git("rm", "-rq", "content", "templates");
  for (const [path, text] of Object.entries(FILES)) made.save(path, text);
  made.git("add", "--all");
  made.git("commit", "--quiet", "--message=Lists");
  const token = await tokenFor(made.dir);
  const server = await serve(made.dir, [], { token });
  const built = async (...args: readonly string[]): Promise<Map<string, string>> => {
    const out = join(emptyFolder(), "out");
    expect(await cms(["build", "--root", made.dir, "--out", out, ...args])).toMatchObject({ code: 0 });
    return filesIn(out);
  };
  const ours = await built();
  expect(await built("--server", server.url, "--token", token)).toEqual(ours);
  const rooms = "alpha delta,hello bye bravo ,Charlie ,delta ,";
  expect(ours.get("room/index.html")).toBe(`Page 1bravo|${rooms}`);
  const italian = rooms
    .replace("hello bye ", "")
    .replace(/\w+/g, "$& in Italian")
    .replace(",bravo", ",ciao addio bravo");
  expect(ours.get("it/room/index.html")).toBe(`Page 1bravo in Italian|${italian}`);
  expect(ours.get("it/a11/index.html")).toContain("/it/journal/tag/argilla//it/journal/tag/argilla/ 3");
  for (const path of [
    "room/",
    "it/room/",
    "rooms/",
    "it/rooms/page/2/",
    "journal/",
    "journal/page/2/",
    "it/journal/page/2/",
    "journal/tag/clay/",
    "it/journal/tag/argilla/page/2/",
  ])
    expect(await (await fetch(new URL(path, server.url))).text()).toBe(ours.get(`${path}index.html`));
  const { body } = await server.ask("GET", "api/cms/pages-router/it/room/");
  expect((body as { template_data: object }).template_data).toMatchObject({
    room: { data: { bio: "bravo in Italian" } },
  });
});
