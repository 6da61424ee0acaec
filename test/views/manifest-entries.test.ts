/** Which entries of the manifest are made again after a change: those that depend on it, and no others. */
import { expect, it } from "vitest";
import { openManifests } from "../../src/views/manifest/manifest.ts";
import { memorySite, publicViewOf, type MemorySite } from "../site.ts";

interface Url {
  readonly path: string;
  readonly hash: string;
}

const pageText = (
  id: number,
  { more = "", permalink = `/p${id}`, data = "{}", published = "2026-01-01" } = {},
): string =>
  `id: ${id}\n${more}date_created: 2026-01-01T00:00:00Z\ntranslations:\n  en:\n    title: Page ${id}\n` +
  `    permalink: ${permalink}\n    template_data: ${data}\n    published_at: ${published}T00:00:00Z\n`;

const schema = (kind: string): string => `schema:\n  - { name: other, kind: ${kind} }\n`;

const FILES: Readonly<Record<string, string>> = {
  "content/page-models/card.yaml": schema("ref, target_model: cms.Page"),
  "content/pages/p1.yaml": pageText(1, { more: "model: card\nparent_page: 4\n", data: "{ other: 2 }" }),
  "content/pages/p2.yaml": pageText(2, { published: "2026-03-02" }),
  "content/pages/p3.yaml": pageText(3, { more: "parent_page: 2\n" }),
  "content/pages/p4.yaml": pageText(4, { permalink: "/same" }),
  "content/pages/p5.yaml": pageText(5, { permalink: "/same" }),
  "content/contents/note.yaml": "id: 300\nidentifier: note\npage: 3\ntranslations: { en: { content: One } }\n",
};

const save =
  (path: string, text: string | null) =>
  async ({ repo, cms }: MemorySite) => {
    if (text === null) repo.erase(path);
    else repo.write(path, text);
    repo.commitByHand("By hand");
    await cms.store.refresh();
  };
const tomorrow = async ({ clock }: MemorySite): Promise<void> => clock.tick(86_400_000);

async function urlsOf({ cms }: MemorySite, manifests: ReturnType<typeof openManifests>) {
  const { pieces, version } = await manifests.answer(publicViewOf(cms), null);
  return {
    version,
    hashes: new Map((JSON.parse(pieces.join("")).urls as Url[]).map(({ path, hash }) => [path, hash])),
  };
}

// oxfmt-ignore
it.each<[string, (site: MemorySite) => Promise<unknown>, string[]]>([
  // change                                    entries that are others
  ["nothing",                                  async () => undefined,                                                          []],
  ["the text of a page and a parent",                 save("content/pages/p4.yaml", pageText(4, { permalink: "/same", data: "{ a: 1 }" })), ["/p1/", "/same/"]],
  ["its parent and reference become public",   tomorrow,                                                                       ["/p1/", "/p2/", "/p3/"]],
  ["the schema of its model",                  save("content/page-models/card.yaml", schema("integer")),                       ["/p1/"]],
  ["the owner of its permalink goes",          save("content/pages/p4.yaml", null),                                            ["/p1/", "/same/"]],
  ["another page claims its permalink",        save("content/pages/p6.yaml", pageText(6, { permalink: "/p3" })),               []],
  ["the content of its block",                 save("content/contents/note.yaml", FILES["content/contents/note.yaml"]!.replace("One", "Two")), ["/p3/"]],
  ["its block moves to another page",          save("content/contents/note.yaml", FILES["content/contents/note.yaml"]!.replace("page: 3", "page: 1")), ["/p1/", "/p3/"]],
  ["a new page",                               save("content/pages/p7.yaml", pageText(7)),                                     ["/p7/"]],
  ["a page goes",                              save("content/pages/p3.yaml", null),                                            ["/p3/"]],
])("%s", async (_change, write, others) => {
  const site = await memorySite(FILES);
  const kept = openManifests();
  const before = await urlsOf(site, kept);
  await write(site);
  const after = await urlsOf(site, kept);
  expect(after).toEqual(await urlsOf(site, openManifests()));
  const paths = [...new Set([...before.hashes.keys(), ...after.hashes.keys()])];
  expect(paths.filter((path) => before.hashes.get(path) !== after.hashes.get(path)).sort()).toEqual(others);
  expect(after.version === before.version).toBe(others.length === 0);
});
