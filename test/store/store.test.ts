/** What a write promises, over the repository in memory and over git on disk. */
import { describe, expect, it } from "vitest";
import type { CmsError } from "../../src/errors.ts";
import { withText } from "../../src/model/page/page.ts";
import { PAGES } from "../../src/store/records/pages.ts";
import type { LogEntry } from "../../src/store/repo.ts";
import {
  create,
  EDITH,
  openContent,
  openMemory,
  openOnDisk,
  PERSON,
  retitle,
  titleIn,
  type Content,
} from "./store-site.ts";

/** As a person writes it: comments, and keys in an order of their own. */
const ABOUT = `# Read by everybody, so keep it short.
translations:
  en:
    title: About   # not "About us"
    permalink: /about
  it: { permalink: /about }
date_updated_at: 2026-01-02T00:00:00.000Z
date_created: 2026-01-02T00:00:00.000Z
id: 12
identifier: about

template: pages/about.html  # its own
`;
const TEAM =
  "id: 13\ndate_created: 2026-01-03T00:00:00.000Z\ntranslations:\n  en:\n    title: Team\n    permalink: /team\n";
const FILES = { "content/pages/about.yaml": ABOUT, "content/pages/team.yaml": TEAM, "notes.txt": "mine\n" };
const ABOUT_FILE = "content/pages/about.yaml";
const TEAM_FILE = "content/pages/team.yaml";

const subjects = (entries: readonly LogEntry[]): string[] => entries.map(({ message }) => message.split("\n")[0]!);
const paths = (entries: readonly LogEntry[]): string[][] => entries.map(({ changed }) => [...changed.keys()].sort());
const refusal = (promise: Promise<unknown>): Promise<CmsError> =>
  promise.then(
    () => expect.fail("It was not refused"),
    (error: CmsError) => error,
  );

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("a store %s", (_name, ground) => {
  const open = (files: Record<string, string> = FILES, options = {}): Promise<Content> =>
    openContent(ground, files, options);

  describe("a write", () => {
    it("is one commit that touches exactly its paths, in the author's name", async () => {
      const { store, hands, made } = await open();
      await store.transact(EDITH, retitle(12, "About us"));
      const [commit, ...more] = await made();
      expect(more).toEqual([]);
      expect(commit).toMatchObject({ author: { name: EDITH.name, email: EDITH.email } });
      expect(commit!.message).toBe('Call page 12 "About us"\n\nCms-Action: update\nCms-Page: 12\n');
      expect([...commit!.changed.keys()]).toEqual([ABOUT_FILE]);
      expect(hands.text(ABOUT_FILE)).toBe(ABOUT.replace("title: About ", "title: About us "));
      expect(store.current.commit).toBe(commit!.id);
      expect(titleIn(store, 12)).toBe("About us");
    });

    it("may touch several records and other files, in one commit", async () => {
      const { store, hands, made } = await open();
      await store.transact(EDITH, (tx) => {
        retitle(12, "A")(tx);
        tx.remove(PAGES, 13);
        tx.attach("media/a.txt", Buffer.from("a"));
        create("New")(tx);
      });
      expect(paths(await made())).toEqual([[ABOUT_FILE, "content/pages/new.yaml", TEAM_FILE, "media/a.txt"]]);
      expect(hands.text(TEAM_FILE)).toBeUndefined();
      expect(hands.text("media/a.txt")).toBe("a");
    });

    it("that changes nothing makes no commit and no byte of difference", async () => {
      const { store, hands, made } = await open();
      await store.transact(EDITH, retitle(12, "About"));
      await store.transact(EDITH, (tx) => tx.put(PAGES, tx.get(PAGES, 12)));
      await store.transact(EDITH, (tx) => {
        retitle(12, "Something else")(tx);
        retitle(12, "About")(tx);
      });
      expect(await made()).toEqual([]);
      expect(hands.text(ABOUT_FILE)).toBe(ABOUT);
    });

    it("that throws changes nothing", async () => {
      const { store, hands, made } = await open();
      const failure = new Error("no");
      const before = store.current;
      const work = store.transact(EDITH, (tx): void => {
        retitle(12, "Half done")(tx);
        throw failure;
      });
      expect(await refusal(work)).toBe(failure);
      expect(await made()).toEqual([]);
      expect(store.current).toBe(before);
      expect(hands.text(ABOUT_FILE)).toBe(ABOUT);
    });

    it("sees its own changes and nobody else's half", async () => {
      const { store } = await open();
      await store.transact(EDITH, (tx) => {
        retitle(12, "Mine")(tx);
        expect(tx.get(PAGES, 12).translations.en!.title).toBe("Mine");
        expect(tx.all(PAGES).map((page) => page.translations.en!.title)).toEqual(["Mine", "Team"]);
        tx.remove(PAGES, 13);
        expect(tx.find(PAGES, 13)).toBeUndefined();
        expect(titleIn(store, 12)).toBe("About");
      });
      expect(titleIn(store, 12)).toBe("Mine");
    });

    it("does not hand out an id that is taken", async () => {
      const { store } = await open({ "content/pages/one.yaml": "id: 1001\n", "content/pages/two.yaml": "id: 1002\n" });
      expect((await store.transact(EDITH, create("New"))).value.id).toBe(1003);
    });

    it("survives a restart of the store", async () => {
      const { repo, hands, store } = await open();
      const { value: page } = await store.transact(EDITH, create("Kept"));
      const again = await openContent(async () => ({ repo, hands }), {});
      expect(titleIn(again.store, page.id)).toBe("Kept");
      expect(again.store.current.version(PAGES, page.id)).toBe(store.current.version(PAGES, page.id));
    });
  });

  describe("writes at the same time", () => {
    it("are each their own commit, in order, each on what the one before left", async () => {
      const { store, made } = await open();
      const order = Array.from({ length: 20 }, (_, n) => n);
      await Promise.all(
        order.map((n) =>
          store.transact(EDITH, (tx) => retitle(12, `${tx.get(PAGES, 12).translations.en!.title}.${n}`)(tx)),
        ),
      );
      const entries = await made();
      expect(entries).toHaveLength(20);
      expect(paths(entries)).toEqual(order.map(() => [ABOUT_FILE]));
      expect(titleIn(store, 12)).toBe(`About.${order.join(".")}`);
    });

    it("are each told the content as they left it, not as the batch did", async () => {
      const { store } = await open();
      const writes = ["One", "Two", "Three"].map((title) => store.transact(EDITH, retitle(12, title)));
      const removal = store.transact(EDITH, (tx) => tx.remove(PAGES, 12));
      const late = store.transact(EDITH, (tx) => tx.find(PAGES, 12));
      const [one, two, three] = await Promise.all(writes);
      const seen = [one, two, three].map((each) => each!.snapshot.find(PAGES, 12)?.translations.en!.title);
      expect(seen).toEqual(["One", "Two", "Three"]);
      expect(new Set([one, two, three].map((each) => each!.snapshot.version(PAGES, 12))).size).toBe(3);
      expect((await removal).snapshot.find(PAGES, 12)).toBeUndefined();
      expect(await late).toEqual({ value: undefined, snapshot: store.current });
    });

    it("create under one title without taking each other's file", async () => {
      const { store, made } = await open();
      const pages = await Promise.all(
        Array.from({ length: 5 }, (_, n) => store.transact(EDITH, create("Same", { permalink: `/same-${n}` }))),
      );
      expect(new Set(pages.map(({ value }) => value.id)).size).toBe(5);
      const files = ["", "-2", "-3", "-4", "-5"].map((end) => [`content/pages/same${end}.yaml`]);
      expect(paths(await made())).toEqual(files);
    });

    it("are not hurt by a neighbour that fails", async () => {
      const { store, made } = await open();
      const outcomes = await Promise.allSettled([
        store.transact(EDITH, retitle(12, "One")),
        store.transact(EDITH, (): never => {
          throw new Error("no");
        }),
        store.transact(EDITH, retitle(99, "Nobody")),
        store.transact(EDITH, (tx) => tx.attach(".git/config", Buffer.from("evil"))),
        store.transact(EDITH, (tx) => tx.attach("../outside", Buffer.from("evil"))),
        store.transact(EDITH, retitle(13, "Two")),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual([
        "fulfilled",
        "rejected",
        "rejected",
        "rejected",
        "rejected",
        "fulfilled",
      ]);
      expect(subjects(await made())).toEqual(['Call page 12 "One"', 'Call page 13 "Two"']);
    });

    it("are not hurt by one that the repository refuses", async () => {
      const { store, made } = await open({
        ...FILES,
        "content/pages/folder.yaml/inside.txt": "a folder with an odd name\n",
      });
      const outcomes = await Promise.allSettled([
        store.transact(EDITH, retitle(12, "One")),
        store.transact(EDITH, (tx) => tx.attach("content/pages/folder.yaml", Buffer.from("a file"))),
        store.transact(EDITH, retitle(13, "Two")),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(outcomes[1]).toMatchObject({ reason: { code: "conflict" } });
      expect(subjects(await made())).toEqual(['Call page 12 "One"', 'Call page 13 "Two"']);
    });
  });

  describe("a person's commit", () => {
    it("made in between is built upon", async () => {
      const { store, hands, made } = await open();
      hands.save(TEAM_FILE, TEAM.replace("Team", "People"));
      hands.commit("By hand");
      await store.transact(EDITH, retitle(12, "About us"));
      expect(subjects(await made())).toEqual(["By hand", 'Call page 12 "About us"']);
      expect(titleIn(store, 13)).toBe("People");
    });

    it("of the very page is what the write starts from", async () => {
      const { store, hands, made } = await open();
      hands.save(ABOUT_FILE, ABOUT.replace("title: About ", "title: By hand "));
      hands.commit("By hand");
      const seen: unknown[] = [];
      await store.transact(EDITH, (tx) => {
        seen.push(tx.get(PAGES, 12).translations.en!.title);
        tx.put(PAGES, withText(tx.get(PAGES, 12), "en", { description: "Ours" }));
      });
      expect(seen).toEqual(["By hand"]);
      expect(subjects(await made())).toEqual(["By hand", "Change content"]);
      expect(hands.text(ABOUT_FILE)).toContain("title: By hand   # not");
      expect(hands.text(ABOUT_FILE)).toContain("description: Ours");
    });
  });

  describe("an edit by hand, not committed", () => {
    const EDITED = ABOUT.replace(
      "template: pages/about.html  # its own",
      "template: pages/about.html  # its own\nordering: 7 # by hand",
    );

    it("of the page being written is adopted first, in the person's name, and kept to the byte", async () => {
      const { store, hands, made } = await open();
      hands.save(ABOUT_FILE, EDITED);
      const { value: page } = await store.transact(EDITH, retitle(12, "About us"));
      expect(page.ordering).toBe(7);
      const entries = await made();
      expect(entries.map(({ author, message }) => [author.name, message])).toEqual([
        [PERSON.name, `Adopt edits made by hand in ${ABOUT_FILE}\n\nCms-Action: adopt\n`],
        [EDITH.name, 'Call page 12 "About us"\n\nCms-Action: update\nCms-Page: 12\n'],
      ]);
      expect(paths(entries)).toEqual([[ABOUT_FILE], [ABOUT_FILE]]);
      expect(hands.text(ABOUT_FILE)).toBe(EDITED.replace("title: About ", "title: About us "));
    });

    it("is adopted once, however many writes wait", async () => {
      const { store, hands, made } = await open();
      hands.save(ABOUT_FILE, EDITED);
      await Promise.all([store.transact(EDITH, retitle(12, "One")), store.transact(EDITH, retitle(12, "Two"))]);
      expect(subjects(await made())).toEqual([
        `Adopt edits made by hand in ${ABOUT_FILE}`,
        'Call page 12 "One"',
        'Call page 12 "Two"',
      ]);
    });

    it("of another page stays as it is", async () => {
      const { store, hands, repo, made } = await open();
      const edited = TEAM.replace("Team", "People");
      hands.save(TEAM_FILE, edited);
      hands.save("content/pages/new.yaml", "id: 14\n");
      hands.save("notes.txt", "mine, changed\n");
      await store.transact(EDITH, retitle(12, "About us"));
      expect(paths(await made())).toEqual([[ABOUT_FILE]]);
      expect(hands.text(TEAM_FILE)).toBe(edited);
      expect(hands.text("notes.txt")).toBe("mine, changed\n");
      const { head } = await repo.state();
      expect((await repo.committed(head, ["content/pages/new.yaml"])).get("content/pages/new.yaml")).toBeNull();
    });

    it("that says already what the write would stays the person's to commit", async () => {
      const { store, hands, made } = await open();
      const edited = ABOUT.replace("title: About ", "title: About us ");
      hands.save(ABOUT_FILE, edited);
      await store.transact(EDITH, retitle(12, "About us"));
      expect(hands.text(ABOUT_FILE)).toBe(edited);
      expect(await made()).toEqual([]);
    });

    it("is loaded when looked for", async () => {
      const { store, hands } = await open();
      const heard: unknown[] = [];
      store.onChange((snapshot) => heard.push(snapshot.find(PAGES, 12)?.ordering));
      expect(await store.refresh()).toBe("same");
      hands.save(ABOUT_FILE, EDITED);
      expect(await store.refresh(() => () => false)).toBe("unsettled");
      expect(store.current.get(PAGES, 12).ordering).toBe(0);
      expect(await store.refresh()).toBe("other");
      expect(store.current.get(PAGES, 12).ordering).toBe(7);
      expect(heard).toEqual([7]);
    });
  });

  describe("a file moved or deleted by hand", () => {
    const MOVED = "content/pages/company/about.yaml";

    it("keeps its record when it is moved", async () => {
      const { store, hands } = await open();
      hands.move(ABOUT_FILE, MOVED);
      await store.refresh();
      expect(titleIn(store, 12)).toBe("About");
      expect(store.current.pathsOf(PAGES, 12)).toEqual([MOVED]);
      expect(store.current.problems).toEqual([]);
    });

    it("is adopted whole, both halves of a move, so that no clone has it twice", async () => {
      const draft = "payload:\n  title: Next\n";
      const { store, hands, repo, made } = await open({ ...FILES, "content/pages/about.draft.en.yaml": draft });
      hands.move(ABOUT_FILE, MOVED);
      hands.move("content/pages/about.draft.en.yaml", "content/pages/company/about.draft.en.yaml");
      await store.transact(EDITH, retitle(12, "About us"));
      expect(subjects(await made())).toEqual(["Adopt edits made by hand in 4 files", 'Call page 12 "About us"']);
      const { head } = await repo.state();
      expect([...(await repo.tree(head!, ["content"])).keys()].sort()).toEqual([
        "content/pages/company/about.draft.en.yaml",
        MOVED,
        TEAM_FILE,
      ]);
      expect(store.current.get(PAGES, 12).drafts.en!.payload).toEqual({ title: "Next" });
    });

    it("takes its record with it when it is deleted", async () => {
      const { store, hands } = await open();
      hands.erase(ABOUT_FILE);
      await store.refresh();
      expect(store.current.find(PAGES, 12)).toBeUndefined();
      expect((await refusal(store.transact(EDITH, retitle(12, "Ghost")))).code).toBe("not_found");
    });

    it("that was deleted gives its name to a new page, the deletion adopted first", async () => {
      const { store, hands, made } = await open();
      hands.erase(ABOUT_FILE);
      await store.refresh();
      await store.transact(EDITH, create("About"));
      expect(subjects(await made())).toEqual([`Adopt edits made by hand in ${ABOUT_FILE}`, 'Create "About"']);
      expect(paths(await made())).toEqual([[ABOUT_FILE], [ABOUT_FILE]]);
    });
  });

  describe("an author who expects a version", () => {
    const expecting = (...versions: string[]) => ({ ...EDITH, expects: { kind: PAGES, id: 12, versions } });

    it("is served when it holds, refused when it does not", async () => {
      const { store, made } = await open();
      const first = store.current.version(PAGES, 12);
      await store.transact(expecting(first), retitle(12, "One"));
      const error = await refusal(store.transact(expecting(first), retitle(12, "Two")));
      expect(error).toMatchObject({ code: "stale", fields: { current: store.current.version(PAGES, 12) } });
      expect(subjects(await made())).toEqual(['Call page 12 "One"']);
      await store.transact(expecting("older", store.current.version(PAGES, 12)), retitle(12, "Three"));
      expect(titleIn(store, 12)).toBe("Three");
    });

    it("loses to an earlier one in the same batch", async () => {
      const { store } = await open();
      const version = store.current.version(PAGES, 12);
      const outcomes = await Promise.allSettled(
        ["One", "Two", "Three"].map((title) => store.transact(expecting(version), retitle(12, title))),
      );
      expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
      expect(titleIn(store, 12)).toBe("One");
    });

    it("loses to an edit by hand that nobody has looked at yet", async () => {
      const { store, hands } = await open();
      const version = store.current.version(PAGES, 12);
      hands.save(ABOUT_FILE, ABOUT.replace("About ", "By hand "));
      expect((await refusal(store.transact(expecting(version), retitle(12, "Mine")))).code).toBe("stale");
    });

    it("of a page that is gone finds none", async () => {
      const { store } = await open();
      await store.transact(EDITH, (tx) => tx.remove(PAGES, 12));
      expect((await refusal(store.transact(expecting("any"), retitle(12, "Ghost")))).code).toBe("not_found");
    });
  });

  describe("a file that does not load", () => {
    const BROKEN = "id: 12\ntranslations:\n  en: [\n";

    it("leaves the last good version served, and no write goes over it", async () => {
      const { store, hands, made } = await open();
      hands.save(ABOUT_FILE, BROKEN);
      await store.refresh();
      expect(titleIn(store, 12)).toBe("About");
      expect(store.current.problems).toEqual([
        expect.objectContaining({ path: ABOUT_FILE, line: expect.any(Number), column: expect.any(Number) }),
      ]);
      for (const work of [
        retitle(12, "Mine"),
        (tx: Parameters<ReturnType<typeof retitle>>[0]) => tx.remove(PAGES, 12),
      ]) {
        const error = await refusal(store.transact<unknown>(EDITH, work));
        expect(error.code).toBe("conflict");
        expect(error.message).toContain(ABOUT_FILE);
        expect(error.message).toContain(store.current.problems[0]!.message);
      }
      await store.transact(EDITH, retitle(13, "Others go on"));
      expect(hands.text(ABOUT_FILE)).toBe(BROKEN);
      expect(subjects(await made())).toEqual(['Call page 13 "Others go on"']);
    });

    it("is noticed by the write itself when nobody has looked yet", async () => {
      const { store, hands, made } = await open();
      hands.save(ABOUT_FILE, BROKEN);
      expect((await refusal(store.transact(EDITH, retitle(12, "Mine")))).code).toBe("conflict");
      expect(hands.text(ABOUT_FILE)).toBe(BROKEN);
      expect(await made()).toEqual([]);
    });

    it("is served again once it is mended", async () => {
      const { store, hands, logged } = await open();
      hands.save(ABOUT_FILE, BROKEN);
      await store.refresh();
      hands.save(ABOUT_FILE, ABOUT.replace("title: About ", "title: Mended "));
      await store.refresh();
      expect(titleIn(store, 12)).toBe("Mended");
      expect(store.current.problems).toEqual([]);
      expect(logged.filter((line) => line.startsWith(`${ABOUT_FILE}:`))).toHaveLength(1);
      expect(logged.at(-1)).toMatch(new RegExp(`^solved: ${ABOUT_FILE}$`));
      await store.transact(EDITH, retitle(12, "Written"));
      expect(titleIn(store, 12)).toBe("Written");
    });
  });

  describe("a store that does not write", () => {
    it("refuses once it is closed, after the writes it has taken", async () => {
      const { store, made } = await open();
      const writes = [store.transact(EDITH, retitle(12, "One")), store.transact(EDITH, retitle(13, "Two"))];
      const closing = store.close();
      expect((await refusal(store.transact(EDITH, retitle(12, "Late")))).code).toBe("unavailable");
      await Promise.all([...writes, closing]);
      expect(await made()).toHaveLength(2);
    });

    it("refuses when it is opened read-only", async () => {
      const { store, made } = await open(FILES, { readOnly: true });
      const error = await refusal(store.transact(EDITH, retitle(12, "One")));
      expect(error).toMatchObject({ code: "unavailable", retryAfter: undefined });
      expect(await made()).toEqual([]);
    });

    it("refuses while a merge is in progress, and goes on afterwards", async () => {
      const { store, hands } = await open();
      hands.block("A merge is in progress.");
      const error = await refusal(store.transact(EDITH, retitle(12, "One")));
      expect(error.code).toBe("unavailable");
      expect(error.message).toContain("A merge is in progress");
      expect(error.retryAfter).toBeGreaterThan(0);
      expect(titleIn(store, 12)).toBe("About");
      hands.block(null);
      await store.transact(EDITH, retitle(12, "Two"));
      expect(titleIn(store, 12)).toBe("Two");
    });
  });

  it("survives a listener that fails", async () => {
    const { store, logged } = await open();
    store.onChange(() => {
      throw new Error("no");
    });
    await store.transact(EDITH, retitle(12, "One"));
    expect(titleIn(store, 12)).toBe("One");
    expect(logged).toEqual(["A listener for new content failed"]);
  });
});
