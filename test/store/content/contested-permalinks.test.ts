/** Which of several pages has a permalink that the files of all of them leave out. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { permalinkIn } from "../../../src/model/page/page.ts";
import { PAGES } from "../../../src/store/records/pages.ts";
import type { Snapshot } from "../../../src/store/snapshot.ts";
import { memorySite } from "../../site.ts";
import { expectSameAfterRestart } from "../../support/restart.ts";
import { contentOver, EDITH, openContent, openMemory, openOnDisk, retitle, type Content } from "../store-site.ts";

interface Said {
  readonly title?: string;
  readonly italian?: string;
  readonly parent?: string;
  readonly created?: string;
  readonly permalink?: string;
}
const page = ({ title = "X", italian, parent, created, permalink }: Said = {}): string =>
  [
    ...(created ? [`date_created: ${created}T00:00:00.000Z`] : []),
    ...(parent ? [`parent_page: ${parent}`] : []),
    `translations:\n  en:\n    title: ${title}`,
    ...(permalink ? [`    permalink: ${permalink}`] : []),
    ...(italian ? [`  it:\n    title: ${italian}`] : []),
    "",
  ].join("\n");

const ZZ = "content/pages/zz.yaml";
const AA = "content/pages/aa.yaml";

/** The permalinks by the name of the file. */
const permalinks = (content: Snapshot, lang = "en"): Record<string, string | null> =>
  Object.fromEntries(
    content
      .all(PAGES)
      .map((each) => [
        content.pathsOf(PAGES, each.id)[0]!.replace(/^content\/pages\/|\.yaml$/g, ""),
        permalinkIn(each, lang),
      ]),
  );

describe.each([
  ["in memory", openMemory],
  ["on disk", openOnDisk],
])("a permalink that files leave out, %s", (_name, ground) => {
  /** In the running service, and in one that starts now. */
  const expectServed = async (content: Content, expected: Record<string, string>, lang = "en"): Promise<void> => {
    await content.store.refresh();
    expect(permalinks(content.store.current, lang)).toEqual(expected);
    const { repo, hands } = content;
    expect(permalinks((await contentOver({ repo, hands })).store.current, lang)).toEqual(expected);
  };

  it("stays with the page that was committed first, whatever the newcomer's name and date, committed or not", async () => {
    const content = await openContent(ground, { [ZZ]: page() });
    content.hands.save(AA, page({ created: "2019-01-01" }));
    await expectServed(content, { zz: "/x", aa: "/x-2" });
    content.hands.commit("Newcomer");
    await expectServed(content, { zz: "/x", aa: "/x-2" });
    await content.store.transact(EDITH, (tx) => {
      tx.describe("Another page");
      return tx.put(PAGES, { ...tx.all(PAGES)[0]!, id: 7, translations: {} });
    });
    await expectServed(content, { ...permalinks(content.store.current), zz: "/x", aa: "/x-2" });
    content.hands.erase(ZZ);
    content.hands.commit("Gone");
    await content.store.refresh();
    expect(permalinks(content.store.current)).toMatchObject({ aa: "/x" });
  });

  it("stays with the page that has it, where an older page gets its title", async () => {
    const content = await openContent(ground, { [AA]: page({ title: "Old" }) });
    content.hands.save(ZZ, page());
    content.hands.commit("Second");
    content.hands.save(AA, page());
    await expectServed(content, { aa: "/x-2", zz: "/x" });
    content.hands.commit("Retitled");
    await expectServed(content, { aa: "/x-2", zz: "/x" });
  });

  it("stays with the page that has it, where a page moves in from another folder or an older parent is retitled", async () => {
    const content = await openContent(ground, {
      "content/pages/a.yaml": page({ title: "A", permalink: "/a" }),
      "content/pages/b.yaml": page({ title: "B", permalink: "/b" }),
      "content/pages/b/aa.yaml": page(),
      "content/pages/p.yaml": page({ title: "P" }),
      "content/pages/p/child.yaml": page({ title: "Child" }),
    });
    content.hands.save("content/pages/a/zz.yaml", page());
    content.hands.save("content/pages/q.yaml", page({ title: "Q" }));
    content.hands.commit("Second");
    content.hands.move("content/pages/b/aa.yaml", "content/pages/a/aa.yaml");
    content.hands.save("content/pages/p.yaml", page({ title: "Q" }));
    for (const step of ["edited", "committed"]) {
      await expectServed(content, {
        ...{ a: "/a", b: "/b", "a/zz": "/a/x", "a/aa": "/a/x-2", q: "/q", p: "/q-2", "p/child": "/q-2/child" },
      });
      if (step === "edited") content.hands.commit("Third");
    }
  });

  it("is decided in each language by itself", async () => {
    const content = await openContent(ground, { [AA]: page({ title: "A", italian: "Ics" }) });
    content.hands.save(ZZ, page({ title: "X", italian: "Zeta" }));
    content.hands.commit("Second");
    content.hands.save(AA, page({ title: "X", italian: "Ics" }));
    content.hands.save(ZZ, page({ title: "X", italian: "Ics" }));
    content.hands.commit("Third");
    await expectServed(content, { aa: "/x-2", zz: "/x" });
    await expectServed(content, { aa: "/ics", zz: "/ics-2" }, "it");
  });

  it("stays where its file stops to state it, or begins to", async () => {
    const content = await openContent(ground, { [ZZ]: page({ permalink: "/x" }) });
    content.hands.save(AA, page({ created: "2019-01-01" }));
    content.hands.commit("Second");
    await expectServed(content, { zz: "/x", aa: "/x-2" });
    content.hands.save(ZZ, page());
    await expectServed(content, { zz: "/x", aa: "/x-2" });
    content.hands.commit("Third");
    const { id } = content.store.current.all(PAGES).find((each) => permalinkIn(each, "en") === "/x")!;
    await content.store.transact(EDITH, retitle(id, "X"));
    await expectServed(content, { zz: "/x", aa: "/x-2" });
  });

  it("follows the history that HEAD moves to", async () => {
    const content = await openContent(ground, { "content/pages/b.yaml": page({ title: "B" }) });
    content.hands.save(ZZ, page());
    content.hands.save(AA, page());
    await expectServed(content, { b: "/b", zz: "/x-2", aa: "/x" });
    content.hands.erase(AA);
    content.hands.commit("zz alone");
    content.hands.save(AA, page());
    await expectServed(content, { b: "/b", zz: "/x", aa: "/x-2" });
  });
});

/** Two files never state the same permalink: while neither is committed, a start cannot tell which was there first. */
const STATED = { a: "/x", bb: "/x-2", zz: "/z", "a/c": undefined, "zz/d": undefined };
const seldom = (...texts: readonly string[]): fc.Arbitrary<string | undefined> =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.constantFrom(...texts) });
const said = fc.record({
  title: fc.constantFrom("X", "X", "X 2", "Y"),
  italian: seldom("X", "Y"),
  parent: seldom("/x", "/x-2", "/y", "/z"),
  created: seldom("2024-01-01", "2025-01-01"),
  isStated: fc.nat(5).map((n) => n === 0),
});
const name = fc.constantFrom(...(Object.keys(STATED) as (keyof typeof STATED)[]));
const movable = fc.constantFrom("a/c" as const, "zz/d" as const);
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant("save" as const), name, said }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("erase" as const), name }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("move" as const), name: movable, to: movable }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("commit" as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("look" as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("write" as const), at: fc.nat(4) }) },
);

it(
  "is the same after a restart and in a clone, and no newcomer takes it, after any edits, commits and writes",
  { timeout: 240_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const site = await memorySite({ [`content/pages/first.yaml`]: page() });
        for (const each of steps) {
          const path = "name" in each ? `content/pages/${each.name}.yaml` : "";
          const text = site.repo.text(path);
          if (each.do === "save")
            site.repo.write(
              path,
              page({ ...each.said, permalink: each.said.isStated ? STATED[each.name] : undefined }),
            );
          else if (each.do === "erase" && text !== undefined) site.repo.erase(path);
          else if (each.do === "move" && text !== undefined && each.to !== each.name) {
            site.repo.erase(path);
            site.repo.write(`content/pages/${each.to}.yaml`, text);
          } else if (each.do === "commit") site.repo.commitByHand("By hand");
          else if (each.do === "write") {
            await site.cms.store.refresh();
            const all = site.cms.store.current.all(PAGES);
            await site.api("PATCH", `pages/${all[each.at % all.length]!.id}/`, { description: String(each.at) });
          }
          if (each.do === "look" || each.do === "write") await expectSameAfterRestart(site);
        }
        await expectSameAfterRestart(site);
        // A name may come to stand for a page that is new.
        if (steps.some((each) => "said" in each && each.said.parent)) return;
        site.repo.commitByHand("At the end");
        await expectSameAfterRestart(site);
        const before = permalinks(site.cms.store.current);
        site.repo.write("content/pages/0.yaml", page({ title: "X", created: "2019-01-01" }));
        site.repo.write("content/pages/00.yaml", page({ title: "Y", created: "2019-01-01" }));
        await expectSameAfterRestart(site);
        expect(permalinks(site.cms.store.current)).toMatchObject(before);
      }),
      { numRuns: Number(process.env.RUNS ?? 60) },
    );
  },
);
