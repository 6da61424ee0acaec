/** References by name in hand-written files: what they stand for, what writes leave of them, and what follows changes. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KINDS } from "../../../src/cms.ts";
import type { Menu } from "../../../src/model/records/menu.ts";
import type { Page } from "../../../src/model/page/page.ts";
import { showProblem } from "../../../src/model/text/problem.ts";
import { ARTICLES, PAGES } from "../../../src/store/records/pages.ts";
import { CONTENTS } from "../../../src/store/records/contents.ts";
import { MENUS } from "../../../src/store/records/menus.ts";
import { META_INSTANCES } from "../../../src/store/records/meta-instances.ts";
import { mediaFiles } from "../../../src/store/records/media/media-files.ts";
import type { Snapshot } from "../../../src/store/snapshot.ts";
import type { Path } from "../../../src/store/repo.ts";
import { contentOver, EDITH, openContent, openMemory, openOnDisk, retitle, type Content } from "../store-site.ts";

const ALL = [...KINDS, mediaFiles(["renditions"])];
const open = (files: Readonly<Record<Path, string>>, ground = openMemory): Promise<Content> =>
  openContent(ground, files, { kinds: ALL });
const again = ({ repo, hands }: Content): Promise<Content> => contentOver({ repo, hands }, { kinds: ALL });

const page = (id: number, permalink: string, more = "", texts = ""): string =>
  `id: ${id}\nidentifier: u${id}\n${more}translations:\n  en:\n    title: T${id}\n    permalink: ${permalink}\n    autopermalink: false\n${texts}`;

const BREAD = "content/pages/bread.yaml";
const RYE = "content/pages/grain/rye.yaml";
const SITE = {
  [BREAD]: page(2, "/bread", "", "  it:\n    title: Pane\n    permalink: /pane\n    autopermalink: false\n"),
  [RYE]: page(3, "/bread/rye", "parent_page: /bread # the page above\nog_image: oven.svg\n"),
  "content/articles/day.yaml": page(
    4,
    "/day",
    "tags: [Sourdough, 21, lievito madre]\nhighlight_image: bakery/oven.svg\n",
  ),
  "content/tags/sourdough.yaml": "id: 20\ntranslations:\n  en: { name: Sourdough }\n  it: { name: Pasta acida }\n",
  "content/tags/flour.yaml": "id: 21\ntranslations:\n  en: { name: Flour }\n",
  "content/tags/mother.yaml": "id: 22\ntranslations:\n  it: { name: Lievito madre }\n",
  "media/bakery/oven.svg": "jpg",
  "content/media/bakery/oven.svg.yaml": "id: 30\n",
  "content/menus/main.yaml":
    "id: 40\ntranslations:\n  en:\n    nodes:\n      - title: Bread\n        link: { link_type: RE, url_node: /bread } # first\n      - { title: Pane, link: { link_type: RE, url_node: /it/pane } }\n",
  "content/contents/notice.yaml": "id: 50\npage: /bread\ntranslations:\n  en: { content: Hi }\n",
  "content/page-models/recipe.yaml":
    "schema:\n  - { name: picture, kind: media }\n  - { name: next, kind: ref, target_model: pages.recipe }\n  - { name: steps, kind: list, children: [{ name: tool, kind: ref, target_model: cms.MetaInstance }] }\n  - { name: link, kind: permalink }\n",
  "content/pages/focaccia.yaml": page(
    5,
    "/focaccia",
    "model: recipe\n",
    "    template_data:\n      picture: oven.svg\n      next: /focaccia\n      steps: [{ tool: oven }]\n      link: { link_type: RE, url_node: /it/pane }\n",
  ),
  "content/meta-types/tool.yaml": "id: 60\nschema:\n  - { name: used, kind: queryset, target_model: cms.Page }\n",
  "content/meta-instances/other/oven.yaml":
    "id: 61\nmeta_type: tool\nidentifier: oven\ndata: { used: [/bread, /bread/rye] }\n",
};

const pageIn = ({ current }: { readonly current: Snapshot }, id: number): Page | undefined =>
  current.find(PAGES, id) ?? current.find(ARTICLES, id);
const problemsIn = ({ store }: Content): string[] => store.current.problems.map(showProblem).sort();

describe("a reference by name", () => {
  it("is the record with this permalink or name, in every kind of record", async () => {
    const content = await open(SITE);
    const { store } = content;
    expect(problemsIn(content)).toEqual([]);
    expect(pageIn(store, 3)).toMatchObject({ parent_page: 2, og_image: 30 });
    expect(pageIn(store, 4)).toMatchObject({ tags: [20, 21, 22], highlight_image: 30 });
    expect(pageIn(store, 5)?.translations.en?.template_data).toEqual({
      picture: 30,
      next: 5,
      steps: [{ tool: 61 }],
      link: { link_type: "RE", url_node: 2 },
    });
    expect(store.current.find(MENUS, 40)?.nodes.en?.map(({ link }) => link)).toEqual([
      { link_type: "RE", url_node: 2 },
      { link_type: "RE", url_node: 2 },
    ]);
    expect(store.current.find(CONTENTS, 50)?.page).toBe(2);
    expect(store.current.find(META_INSTANCES, 61)).toMatchObject({ meta_type: 60, data: { used: [2, 3] } });
  });

  it("that nothing has, or several have, is a problem with file, line, field and value, and the page is served", async () => {
    const content = await open({
      ...SITE,
      [RYE]: page(3, "/bread/rye", "parent_page: /bred\nog_image: oven.svg\n"),
      "content/articles/day.yaml": page(4, "/day", "tags:\n  - Flour\n  - Flower\n"),
      "media/cellar/oven.svg": "other",
    });
    expect(problemsIn(content)).toEqual([
      'content/articles/day.yaml:5:5: warning: tags.1: There is no tag "Flower".',
      expect.stringMatching(
        /^content\/pages\/focaccia\.yaml:10:7: warning: translations\.en\.template_data\.picture: "oven\.svg" is the name of several: bakery\/oven\.svg, cellar\/oven\.svg\. /,
      ),
      "content/pages/grain/rye.yaml:3:1: warning: parent_page: No page has the permalink /bred.",
      expect.stringMatching(
        /^content\/pages\/grain\/rye\.yaml:4:1: warning: og_image: "oven\.svg" is the name of several/,
      ),
    ]);
    expect(pageIn(content.store, 3)).toMatchObject({ parent_page: null, og_image: null });
    expect(pageIn(content.store, 4)).toMatchObject({ tags: [21] });
  });

  it("of a draft is resolved, too", async () => {
    const content = await open({
      ...SITE,
      "content/pages/bread.draft.en.yaml": "payload: { og_image: oven.svg, translations: { en: { title: New } } }\n",
    });
    expect(pageIn(content.store, 2)?.drafts.en?.payload).toEqual({
      og_image: 30,
      translations: { en: { title: "New" } },
    });
  });
});

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("a write %s", (_name, ground) => {
  it("leaves the names of references that it does not change", async () => {
    const content = await open(SITE, ground);
    const { store, hands } = content;
    await store.transact(EDITH, retitle(3, "Rye bread"));
    expect(hands.text(RYE)).toContain("parent_page: /bread # the page above\nog_image: oven.svg\n");
    expect(hands.text(RYE)).toContain("title: Rye bread");
    await store.transact(EDITH, (tx) => tx.put(ARTICLES, { ...tx.get(ARTICLES, 4), tags: [20, 22] }));
    expect(hands.text("content/articles/day.yaml")).toContain("tags: [Sourdough, lievito madre]");
    await store.transact(EDITH, (tx) => {
      const menu: Menu = tx.get(MENUS, 40);
      const [first, second] = menu.nodes.en!;
      const nodes = {
        en: [
          { ...first!, title: "Loaves" },
          { ...second!, link: { link_type: "RE" as const, url_node: 3 } },
        ],
      };
      return tx.put(MENUS, { ...menu, nodes });
    });
    const menu = hands.text("content/menus/main.yaml");
    expect(menu).toContain("link: { link_type: RE, url_node: /bread } # first");
    expect(menu).toContain("url_node: 3");
    expect(problemsIn(content)).toEqual([]);
    const { store: fresh } = await again(content);
    for (const { current } of [store, fresh]) {
      expect(pageIn({ current }, 3)).toMatchObject({ parent_page: 2, og_image: 30 });
      expect(pageIn({ current }, 4)).toMatchObject({ tags: [20, 22] });
    }
  });

  it("writes the reference that it changes, and no other", async () => {
    const { store, hands } = await open(SITE, ground);
    await store.transact(EDITH, (tx) => tx.put(PAGES, { ...tx.get(PAGES, 3), parent_page: 5 }));
    expect(hands.text(RYE)).toContain("parent_page: 5 # the page above\nog_image: oven.svg\n");
    await store.transact(EDITH, (tx) => tx.put(PAGES, { ...tx.get(PAGES, 3), parent_page: null }));
    expect(hands.text(RYE)).not.toContain("parent_page");
  });

  it("leaves a name that stands for nothing", async () => {
    const { store, hands } = await open({ ...SITE, [RYE]: page(3, "/rye", "parent_page: /bred\n") }, ground);
    await store.transact(EDITH, retitle(3, "Rye bread"));
    expect(hands.text(RYE)).toContain("parent_page: /bred\n");
  });
});

describe("a page in the folder beside another's file", () => {
  const FILES = { [BREAD]: SITE[BREAD]!, "content/pages/bread/rye.yaml": page(3, "/bread/rye") };

  it("has that one as its parent, as long as both are there", async () => {
    const content = await open(FILES);
    const { store, hands } = content;
    expect(pageIn(store, 3)?.parent_page).toBe(2);
    hands.erase(BREAD);
    await store.refresh();
    expect(pageIn(store, 3)?.parent_page).toBe(null);
    hands.save(BREAD, SITE[BREAD]!);
    await store.refresh();
    expect(pageIn(store, 3)?.parent_page).toBe(2);
  });

  it("has the parent that its file says, or none", async () => {
    const other = page(9, "/other");
    for (const [said, parent] of [
      ["parent_page: 9\n", 9],
      ["parent_page: /other\n", 9],
      ["parent_page: null\n", null],
    ] as const) {
      const { store } = await open({
        ...FILES,
        "content/pages/other.yaml": other,
        "content/pages/bread/rye.yaml": page(3, "/rye", said),
      });
      expect(pageIn(store, 3)?.parent_page).toBe(parent);
    }
  });

  it("gets permalinks below its parent, through several levels of names", async () => {
    const title = (name: string, more = ""): string => `${more}translations: { en: { title: ${name} } }\n`;
    const { store } = await open({
      [BREAD]: title("Bread", "id: 2\n"),
      "content/pages/bread/rye.yaml": title("Rye", "id: 3\n"),
      "content/pages/dark.yaml": title("Dark", "id: 5\nparent_page: /bread/rye\n"),
      "content/pages/zest.yaml": title("Zest", "id: 6\nparent_page: /bread/rye/dark\n"),
    });
    expect([2, 3, 5, 6].map((id) => pageIn(store, id)?.translations.en?.permalink)).toEqual([
      "/bread",
      "/bread/rye",
      "/bread/rye/dark",
      "/bread/rye/dark/zest",
    ]);
    expect([3, 5, 6].map((id) => pageIn(store, id)?.parent_page)).toEqual([2, 3, 5]);
  });

  it("says that it has none, where a write removes its parent", async () => {
    const content = await open(FILES);
    const { store, hands } = content;
    await store.transact(EDITH, (tx) => tx.put(PAGES, { ...tx.get(PAGES, 3), parent_page: null }));
    expect(hands.text("content/pages/bread/rye.yaml")).toContain("parent_page: null");
    for (const each of [store, (await again(content)).store]) expect(pageIn(each, 3)?.parent_page).toBe(null);
    await store.transact(EDITH, retitle(3, "Rye bread"));
    expect(hands.text("content/pages/bread/rye.yaml")).toContain("parent_page: null");
  });
});

describe("a page model whose fields change places", () => {
  it("has the names where its fields are now", async () => {
    const model = (reference: string, text: string): string =>
      `schema:\n  - { name: ${reference}, kind: ref, target_model: cms.Page }\n  - { name: ${text}, kind: text }\n`;
    const content = await open({
      ...SITE,
      "content/page-models/recipe.yaml": model("a", "b"),
      "content/pages/focaccia.yaml": page(
        5,
        "/focaccia",
        "model: recipe\n",
        "    template_data: { a: /bread, b: /bread }\n",
      ),
    });
    const data = ({ store }: Content): unknown => pageIn(store, 5)?.translations.en?.template_data;
    expect(data(content)).toEqual({ a: 2, b: "/bread" });
    content.hands.save("content/page-models/recipe.yaml", model("b", "a"));
    await content.store.refresh();
    expect(data(content)).toEqual({ a: "/bread", b: 2 });
    expect(data(content)).toEqual(data(await again(content)));
  });
});

describe("a renamed record", () => {
  it("keeps its references by the former permalink, and loses them to the page that has it now", async () => {
    const { store, hands } = await open(SITE);
    const renamed = `${SITE[BREAD]!.replace("permalink: /bread", "permalink: /loaf")}aliases: [{ language: en, from: /bread }]\n`;
    hands.save(BREAD, renamed);
    await store.refresh();
    expect([pageIn(store, 3)?.parent_page, store.current.find(CONTENTS, 50)?.page]).toEqual([2, 2]);
    hands.save("content/pages/new.yaml", page(8, "/bread"));
    await store.refresh();
    expect([pageIn(store, 3)?.parent_page, store.current.find(CONTENTS, 50)?.page]).toEqual([8, 8]);
  });
});

/** Everything that is served, and all problems. */
const everything = ({ current }: { readonly current: Snapshot }): unknown => ({
  records: ALL.map((kind) => [kind.name, current.all(kind)]),
  children: [2, 3, 5, 6, 7, 8].map((id) => current.all(PAGES).filter((each) => each.parent_page === id).length),
  problems: current.problems.map(showProblem).sort(),
});

describe("what names stand for after any changes", () => {
  const bread = (link: string, more = "", texts = ""): string => page(2, link, more, texts);
  const VERSIONS: Readonly<Record<Path, readonly (string | null)[]>> = {
    [BREAD]: [
      SITE[BREAD]!,
      null,
      bread("/loaf", "aliases: [{ language: en, from: /bread }]\n"),
      "id: 2\ntranslations: { en: { title: Bread } }\n",
      bread("/bread", "model: recipe\n", "    template_data: { picture: hero.svg, next: /bread }\n"),
    ],
    "content/pages/new.yaml": [
      null,
      page(8, "/bread", "date_created: 2020-01-01T00:00:00Z\n"),
      page(8, "/new", "og_image: hero.svg\n"),
    ],
    "content/pages/bread/rye.yaml": [
      page(3, "/rye"),
      page(3, "/rye", "parent_page: /new\n"),
      "id: 3\nparent_page: /bread\ntranslations: { en: { title: Rye } }\n",
      "id: 3\ntranslations: { en: { title: Rye } }\n",
      null,
    ],
    "content/pages/dark.yaml": [
      page(5, "/dark", "parent_page: /bread/rye\n"),
      "parent_page: /bread\ntranslations: { en: { title: Dark } }\n",
      "id: 5\nparent_page: /bread/rye\ntranslations: { en: { title: Dark } }\n",
      null,
    ],
    // Named by derived permalinks: below each other, and of one another.
    "content/pages/bread/zest.yaml": [
      null,
      "id: 6\nparent_page: /bread/rye/dark\ntranslations: { en: { title: Zest } }\n",
      "id: 6\nparent_page: /other/rye\ntranslations: { en: { title: Rye } }\n",
      "id: 6\ntranslations: { en: { title: Rye } }\n",
    ],
    "content/pages/other.yaml": [
      null,
      "id: 7\nparent_page: /rye\ntranslations: { en: { title: Other } }\n",
      "id: 7\ntranslations: { en: { title: Other } }\n",
      "id: 7\nparent_page: /bread/rye-2\ntranslations: { en: { title: Rye } }\n",
    ],
    "content/articles/day.yaml": [page(4, "/day", "tags: [Sourdough, flour]\nparent_page: /bread\n"), null],
    "content/tags/a.yaml": [
      "id: 20\ntranslations: { en: { name: Sourdough } }\n",
      "id: 20\ntranslations: { en: { name: Flour } }\n",
      null,
    ],
    "content/tags/b.yaml": [null, "id: 21\ntranslations: { en: { name: flour }, it: { name: Sourdough } }\n"],
    "media/hero.svg": [null, "hero"],
    "media/old/hero.svg": [null, "old"],
    "content/page-models/recipe.yaml": [
      "schema: [{ name: picture, kind: media }, { name: next, kind: ref, target_model: cms.Page }]\n",
      "schema: [{ name: picture, kind: string }, { name: next, kind: string }]\n",
    ],
    "content/menus/main.yaml": [
      "id: 40\ntranslations: { en: { nodes: [{ title: B, link: { link_type: RE, url_node: /bread } }, { title: R, link: { link_type: RE, url_node: /rye } }] } }\n",
      null,
    ],
    "content/meta-types/tool.yaml": [
      "id: 60\nschema: [{ name: used, kind: queryset, target_model: cms.Page }]\n",
      "id: 62\nschema: [{ name: used, kind: string }]\n",
    ],
    "content/meta-instances/tool/oven.yaml": [
      "id: 61\ndata: { used: [/bread, /rye] }\n",
      "id: 61\nmeta_type: tool\ndata: { used: [/dark] }\n",
    ],
  };
  const paths = Object.keys(VERSIONS);
  const step = fc.oneof(
    fc.record({ do: fc.constant("save" as const), at: fc.nat(paths.length - 1), version: fc.nat(4) }),
    fc.record({ do: fc.constant("save" as const), at: fc.nat(paths.length - 1), version: fc.nat(4) }),
    fc.record({ do: fc.constant("retitle" as const), id: fc.constantFrom(2, 3, 5, 8) }),
    fc.record({ do: fc.constant("reparent" as const), id: fc.constantFrom(3, 5), parent: fc.constantFrom(2, 8, null) }),
  );
  it("is the same as for a process that starts then", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const first = Object.entries(VERSIONS).flatMap(([path, [text]]) => (text ? [[path, text] as const] : []));
        const content = await open(Object.fromEntries(first));
        const { store, hands } = content;
        for (const each of steps) {
          if (each.do === "save") {
            const path = paths[each.at]!;
            const text = VERSIONS[path]![each.version % VERSIONS[path]!.length] ?? null;
            if (text !== null) hands.save(path, text);
            else if (hands.text(path) !== undefined) hands.erase(path);
            await store.refresh();
          } else if (store.current.find(PAGES, each.id)) {
            const work = each.do === "retitle" ? retitle(each.id, "Other") : undefined;
            await store.transact(
              EDITH,
              work ??
                ((tx) =>
                  tx.put(PAGES, {
                    ...tx.get(PAGES, each.id),
                    parent_page: each.do === "reparent" ? each.parent : null,
                  })),
            );
          }
          const { store: fresh } = await again(content);
          expect(everything(store)).toEqual(everything(fresh));
        }
      }),
      { numRuns: Number(process.env.NAME_RUNS ?? 12) },
    );
  });
});
