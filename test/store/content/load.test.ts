/** From files to records: what is served when files are odd, broken, copied or bare. */
import { describe, expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import { REDIRECTS } from "../../../src/store/records/redirects.ts";
import { openHistory } from "../../../src/store/history/history.ts";
import { memoryRepo } from "../../support/memory-repo.ts";
import { contentOver, create, EDITH, openContent, openMemory, openOnDisk, retitle, titleIn } from "../store-site.ts";

const page = (id: number, title: string, created = "2026-01-02"): string =>
  `id: ${id}\ndate_created: ${created}T00:00:00.000Z\ntranslations:\n  en:\n    title: ${title}\n    permalink: /${title.toLowerCase()}\n`;
const ABOUT_FILE = "content/pages/about.yaml";
const COPY_FILE = "content/pages/about-copy.yaml";

describe("a file that is gone between the scan and its reading, and back as it was at the next scan", () => {
  // oxfmt-ignore
  it.each<[string, ReadonlySet<string> | undefined]>([
    ["of the whole tree",  undefined],
    ["of some paths",      new Set([ABOUT_FILE, "content/pages/team.draft.en.yaml"])],
  ])("is loaded then, by scans %s", async (_scans, paths) => {
    const { repo, hands } = await openMemory({ "content/pages/team.yaml": page(2, "Team") });
    const { store } = await contentOver({ repo, hands });
    const read = repo.read.bind(repo);
    const isGone = (path: string): boolean => path === ABOUT_FILE || path.includes(".draft.");
    let tries = 0;
    repo.read = async (path, known) => (isGone(path) && tries++ < 2 ? undefined : read(path, known));
    hands.save(ABOUT_FILE, page(1, "About"));
    hands.save("content/pages/team.draft.en.yaml", "language: en\npayload: { title_en: Drafted }\n");
    await store.refresh(undefined, paths);
    expect([store.current.find(PAGES, 1), tries]).toEqual([undefined, 2]);
    await store.refresh(undefined, paths);
    expect(titleIn(store, 1)).toBe("About");
    expect(store.current.get(PAGES, 2).drafts.en?.payload).toEqual({ title_en: "Drafted" });
  });
});

it("loads a file that the disk could not read, once it can, though the file is as it was", async () => {
  const { repo, hands } = await openMemory({ "content/pages/team.yaml": page(2, "Team") });
  const { store } = await contentOver({ repo, hands });
  const read = repo.read.bind(repo);
  let fails = true;
  repo.read = async (path, known) => {
    if (fails) throw Object.assign(new Error("EIO: i/o error, read"), { code: "EIO" });
    return read(path, known);
  };
  hands.save(ABOUT_FILE, page(1, "About"));
  await store.refresh();
  expect(store.current.problems.map(({ path }) => path)).toEqual([ABOUT_FILE]);
  fails = false;
  await store.refresh();
  expect([titleIn(store, 1), store.current.problems]).toEqual(["About", []]);
});

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("loading %s", (_name, ground) => {
  it("takes every file of a kind, at any depth, and nothing else", async () => {
    const { store } = await openContent(ground, {
      [ABOUT_FILE]: page(1, "About"),
      "content/pages/a/b/c/deep.yml": page(2, "Deep"),
      "content/pages/post.md": `---\n${page(3, "Post")}---\n# Text\n`,
      "content/pages/.hidden.yaml": page(4, "Hidden"),
      "content/pages/notes.txt": "not a record",
      "content/redirects.yaml": "- { from: /old, to: /new }\n",
      "templates/pages/about.yaml": page(5, "Elsewhere"),
    });
    expect(store.current.all(PAGES).map(({ id }) => id)).toEqual([1, 2, 3]);
    expect(store.current.get(PAGES, 3).translations.en!.template_data).toEqual({ body: "# Text\n" });
    expect(store.current.all(REDIRECTS)[0]!.rows).toEqual([{ from: "/old", to: "/new", status: 301 }]);
    expect(store.current.problems).toEqual([]);
  });

  describe("a broken file at the start", () => {
    it("is served as it was last committed", async () => {
      const { repo, hands } = await ground({ [ABOUT_FILE]: page(1, "About") });
      hands.save(ABOUT_FILE, "id: 1\ntranslations: [\n");
      const { store, logged } = await contentOver({ repo, hands });
      expect(titleIn(store, 1)).toBe("About");
      expect(store.current.problems.map(({ path }) => path)).toEqual([ABOUT_FILE]);
      expect(showProblem(store.current.problems[0]!)).toMatch(/^content\/pages\/about\.yaml:\d+:\d+: /);
      expect(logged).toEqual([showProblem(store.current.problems[0]!)]);
      await expect(store.transact(EDITH, retitle(1, "Mine"))).rejects.toMatchObject({ code: "conflict" });
      hands.save(ABOUT_FILE, page(1, "Mended"));
      await store.refresh();
      expect([titleIn(store, 1), store.current.problems]).toEqual(["Mended", []]);
    });

    it("that was committed broken is not served, and the rest is", async () => {
      const { store } = await openContent(ground, {
        [ABOUT_FILE]: "id: 1\ntranslations: [\n",
        "content/pages/team.yaml": page(2, "Team"),
      });
      expect(store.current.all(PAGES).map(({ id }) => id)).toEqual([2]);
      expect(store.current.problems).toHaveLength(1);
    });

    it("that was committed broken is served as it was last committed whole", async () => {
      const drafted = "content/pages/team.draft.en.yaml";
      const { repo, hands } = await ground({
        [ABOUT_FILE]: page(1, "About"),
        "content/pages/team.yaml": page(2, "Team"),
        [drafted]: "payload: { title: Drafted }\n",
        "content/pages/back.yaml": page(3, "Gone"),
      });
      hands.save(ABOUT_FILE, page(1, "Newer"));
      hands.erase("content/pages/back.yaml");
      hands.commit("Change");
      hands.move(ABOUT_FILE, "content/pages/moved.yaml");
      hands.save("content/pages/back.yaml", "id: [\n");
      hands.commit("Move");
      for (const broken of ["id: 1\ntranslations: [\n", "id: 1\nordering: first\n", "<<<<<<< HEAD\nid: 1\n"]) {
        hands.save("content/pages/moved.yaml", broken);
        hands.save(drafted, "payload: [\n");
        hands.commit("Break");
      }
      hands.save("content/pages/moved.yaml", "id: }\n");
      const history = openHistory(repo, ["content"], null);
      const { store } = await contentOver({ repo, hands }, { history });
      expect(store.current.all(PAGES).map(({ id }) => [id, titleIn(store, id)])).toEqual([
        [1, "Newer"],
        [2, "Team"],
      ]);
      expect(store.current.get(PAGES, 2).drafts.en).toMatchObject({ payload: { title: "Drafted" } });
      expect(store.current.problems.map(({ path }) => path)).toEqual([
        "content/pages/back.yaml",
        "content/pages/moved.yaml",
        drafted,
      ]);
    });

    it("keeps a new record from taking its place", async () => {
      const { store, hands } = await openContent(ground, { [ABOUT_FILE]: "id: 1\ntranslations: [\n" });
      const { value: made } = await store.transact(EDITH, create("About"));
      expect(store.current.pathsOf(PAGES, made.id)).toEqual(["content/pages/about-2.yaml"]);
      expect(hands.text(ABOUT_FILE)).toBe("id: 1\ntranslations: [\n");
    });
  });

  it.each([
    ["YAML that does not parse", "id: 1\ntitle: 'open\n", /^content\/pages\/about\.yaml:\d+:\d+: ./],
    ["no mapping", "- a\n- b\n", /^content\/pages\/about\.yaml:1:1: must hold/],
    ["nothing", "", /^content\/pages\/about\.yaml: is empty$/],
    ["only comments", "# later\n", /^content\/pages\/about\.yaml:\S+ is empty/],
    [
      "an impossible id",
      "date_created: 2026-01-01T00:00:00.000Z\nid: -4\n",
      /^content\/pages\/about\.yaml:2:\d+: id: An id is a whole number/,
    ],
    [
      "a moment without a zone",
      "id: 1\ndate_created: 2026-01-01\n",
      /^content\/pages\/about\.yaml:2:\d+: date_created: A moment/,
    ],
    [
      "a text where a mapping belongs",
      "id: 1\ntranslations:\n  en: About\n",
      /^content\/pages\/about\.yaml:3:\d+: translations\.en: /,
    ],
    [
      "a title that is a list",
      "id: 1\ntranslations:\n  en:\n    title: [a]\n",
      /^content\/pages\/about\.yaml:4:\d+: translations\.en\.title: /,
    ],
    ["two of one key", "id: 1\nid: 2\n", /^content\/pages\/about\.yaml:2:\d+: /],
  ])("names file, line, column and reason for %s", async (_what, text, expected) => {
    const { store } = await openContent(ground, { [ABOUT_FILE]: text });
    expect(store.current.problems.map(showProblem)).toEqual([expect.stringMatching(expected)]);
  });

  it("a page is gone with its main file, though a draft stays, as after a restart", async () => {
    const draftFile = "content/pages/about.draft.en.yaml";
    const content = await openContent(ground, {
      [ABOUT_FILE]: page(1, "About"),
      "content/pages/team.yaml": page(2, "Team"),
      [draftFile]: "payload: { title: Next }\n",
    });
    const { store, hands, repo } = content;
    const seen = ({ current }: Pick<typeof store, "current">): unknown => [
      current.all(PAGES).map(({ id, drafts }) => [id, Object.keys(drafts)]),
      current.problems.map((each) => showProblem(each)),
    ];
    hands.erase(ABOUT_FILE);
    await store.refresh();
    const gone = [[[2, []]], [`${draftFile}: This draft stands alone: there is no page of that name beside it.`]];
    expect(seen(store)).toEqual(gone);
    expect(seen((await contentOver({ repo, hands })).store)).toEqual(gone);
    await expect(store.transact(EDITH, retitle(1, "Mine"))).rejects.toMatchObject({ code: "not_found" });

    hands.save(ABOUT_FILE, "id: 1\ntranslations: [\n"); // does not load, and there is no version to stand in but HEAD's
    await store.refresh();
    expect(titleIn(store, 1)).toBe("About");
    hands.save(ABOUT_FILE, page(1, "Back"));
    await store.refresh();
    expect([titleIn(store, 1), seen(store)]).toEqual([
      "Back",
      [
        [
          [1, ["en"]],
          [2, []],
        ],
        [],
      ],
    ]);
  });

  it("says so when a draft stands without its page", async () => {
    const { store } = await openContent(ground, { "content/pages/about.draft.en.yaml": "payload: { title: Next }\n" });
    expect(store.current.problems.map(showProblem)).toEqual([
      "content/pages/about.draft.en.yaml: This draft stands alone: there is no page of that name beside it.",
    ]);
  });

  describe("two files with one id", () => {
    it("serve the older, and the problem names both", async () => {
      const { store, hands } = await openContent(ground, { [ABOUT_FILE]: page(1, "About", "2026-01-02") });
      hands.save("content/pages/a.yaml", page(1, "Copy", "2026-01-03"));
      await store.refresh();
      expect(titleIn(store, 1)).toBe("About");
      const [problem, ...more] = store.current.problems.map(showProblem);
      expect(more).toEqual([]);
      expect(problem).toMatch(/^content\/pages\/a\.yaml: /);
      expect(problem).toContain(ABOUT_FILE);
      await store.transact(EDITH, retitle(1, "Still the older"));
      expect(hands.text(ABOUT_FILE)).toContain("title: Still the older");
      expect(hands.text("content/pages/a.yaml")).toBe(page(1, "Copy", "2026-01-03"));
    });

    it("made by copying a file serve the original, wherever the copy goes", async () => {
      const { store, hands } = await openContent(ground, { [ABOUT_FILE]: page(1, "About") });
      hands.save(COPY_FILE, page(1, "About"));
      await store.refresh();
      expect(store.current.pathsOf(PAGES, 1)).toEqual([ABOUT_FILE]);
      expect(store.current.problems.map(({ path }) => path)).toEqual([COPY_FILE]);
    });

    it("become two records once one has another id", async () => {
      const { store, hands } = await openContent(ground, {
        [ABOUT_FILE]: page(1, "About"),
        [COPY_FILE]: page(1, "Copy", "2026-01-05"),
      });
      expect(store.current.problems).toHaveLength(1);
      hands.save(COPY_FILE, page(2, "Copy", "2026-01-05"));
      await store.refresh();
      expect([titleIn(store, 1), titleIn(store, 2), store.current.problems]).toEqual(["About", "Copy", []]);
    });

    it("leave the other served when the winner goes", async () => {
      const { store, hands } = await openContent(ground, {
        [ABOUT_FILE]: page(1, "About"),
        [COPY_FILE]: page(1, "Copy", "2026-01-05"),
      });
      hands.erase(ABOUT_FILE);
      await store.refresh();
      expect([titleIn(store, 1), store.current.problems]).toEqual(["Copy", []]);
    });
  });

  describe("a file that leaves out what can be derived", () => {
    const BARE = "# by hand\ntranslations:\n  en:\n    title: Opening hours\n";

    it("is the same record in every clone, and says so itself from the first write on", async () => {
      const files = { "content/pages/hours.yaml": BARE };
      const [here, there] = [await openContent(ground, files), await openContent(ground, files)];
      const [mine] = here.store.current.all(PAGES);
      expect(mine).toEqual(there.store.current.all(PAGES)[0]);
      expect(mine).toMatchObject({
        id: expect.any(Number),
        identifier: expect.stringMatching(/^[0-9a-f-]{36}$/),
        translations: { en: { permalink: "/opening-hours" } },
      });
      await here.store.transact(EDITH, (tx) => tx.put(PAGES, { ...tx.get(PAGES, mine!.id), ordering: 3 }));
      const text = here.hands.text("content/pages/hours.yaml")!;
      expect(text).toMatch(/^# by hand\n/);
      expect(text).toContain(`id: ${mine!.id}\n`);
      expect(text).toContain(`identifier: ${mine!.identifier}\n`);
      expect(text).toContain("permalink: /opening-hours\n");
      here.hands.move("content/pages/hours.yaml", "content/pages/elsewhere.yaml");
      await here.store.refresh();
      expect(here.store.current.get(PAGES, mine!.id).identifier).toBe(mine!.identifier);
    });

    it("shares its title in the same order in every clone, however the files are listed", async () => {
      const dated = (created: string): string => `date_created: ${created}T00:00:00.000Z\n${BARE}`;
      const files = [
        ["m", dated("2026-03-01")],
        ["z", dated("2026-01-01")],
        ["a", dated("2026-02-01")],
      ].map(([name, text]) => [`content/pages/${name}.yaml`, text!]);
      for (const listed of [files, files.toReversed()]) {
        const { store } = await openContent(ground, Object.fromEntries(listed) as Record<string, string>);
        const found = store.current
          .all(PAGES)
          .map(({ date_created, translations }) => [date_created.slice(0, 10), translations.en!.permalink]);
        expect(found.sort()).toEqual([
          ["2026-01-01", "/opening-hours"],
          ["2026-02-01", "/opening-hours-2"],
          ["2026-03-01", "/opening-hours-3"],
        ]);
      }
    });

    it("is not changed by being read", async () => {
      const { hands, made } = await openContent(ground, { "content/pages/hours.yaml": BARE });
      expect(hands.text("content/pages/hours.yaml")).toBe(BARE);
      expect(await made()).toEqual([]);
    });
  });
});

describe("what lies in the way", () => {
  it("is named where a file of a record is a symbolic link", async () => {
    const repo = memoryRepo({ [ABOUT_FILE]: page(1, "About") });
    const files = repo.files.bind(repo);
    const link = { oid: "0".repeat(40), size: 0, mtimeMs: 0, unreadable: "It is a symbolic link, not a file." };
    repo.files = async (under) => new Map([...(await files(under)), ["content/pages/about.draft.it.yaml", link]]);
    const { store } = await contentOver({ repo, hands: (await openMemory({})).hands });
    expect(store.current.problems.map(showProblem)).toEqual([
      "content/pages/about.draft.it.yaml: It is a symbolic link, not a file.",
    ]);
    const draft = {
      payload: { title: "New" },
      scheduled_for: null,
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-01T00:00:00.000Z",
    };
    const write = store.transact(EDITH, (tx) => tx.put(PAGES, { ...tx.get(PAGES, 1), drafts: { it: draft as never } }));
    await expect(write).rejects.toMatchObject({
      code: "conflict",
      message: expect.stringContaining("about.draft.it.yaml"),
    });
  });
});
