/**
 * A page that one clone removed while two others changed it, each of which merges the removal by itself: both keep the page, and
 * it stays one page when their merges meet.
 */
import { expect, it } from "vitest";
// @ts-expect-error: a script, which has no types
import { siteFiles } from "../../../scripts/soak-sync/site.mjs";
import { listConflicts } from "../../../src/actions/conflicts.ts";
import { openCms } from "../../../src/cms.ts";
import { quietEnv } from "../git/git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const PAGE = "content/pages/page-1.yaml";
const DRAFT = "content/pages/page-1.draft.it.yaml";
const MOVED = "content/pages/moved.yaml";

const set = (clone: Clone, path: string, field: string, value: string): void => {
  const text = clone.text(path)!;
  const line = new RegExp(`(  en:\\n(?:    .*\\n)*?    )${field}: .*\\n`);
  clone.save(
    path,
    line.test(text)
      ? text.replace(line, `$1${field}: ${value}\n`)
      : text.replace("  en:\n", `  en:\n    ${field}: ${value}\n`),
  );
  clone.commit(value);
};

/** The files of pages that have an id. */
const withId = (clone: Clone, id: number): string[] =>
  clone
    .git("grep", "--full-name", "-l", `^id: ${id}$`, "HEAD", "--", "content/pages")
    .trim()
    .split("\n")
    .map((line) => line.replace(/^HEAD:/, ""));

async function listedIn(clone: Clone): Promise<{ kind: string; ours: unknown; theirs: unknown }[]> {
  const cms = await openCms(clone.dir, { env: quietEnv() });
  const listed = await listConflicts(cms);
  await cms.close();
  return listed.map(({ past: { kind }, ours, theirs }) => ({ kind, ours: ours.value, theirs: theirs.value }));
}

/** A removes what B and C changed, and both of them merge that before the other's merge is on the remote. */
async function meet(
  changeB: (b: Clone) => void,
  changeC: (c: Clone) => void,
  before?: (a: Clone, b: Clone) => Promise<void>,
) {
  const remote = bareRemote(siteFiles(4));
  const [a, b, c] = [remote.clone(), remote.clone(), remote.clone()];
  await before?.(a, b);
  changeB(b);
  changeC(c);
  for (const path of [PAGE, DRAFT]) if (a.text(path) !== undefined) a.erase(path);
  a.commit("Remove");
  await a.sync();
  await b.sync({ pushes: false });
  await c.sync({ pushes: false });
  await b.sync();
  const { conflicts } = await c.sync();
  for (const clone of [b, a]) await clone.sync();
  const trees = [a, b, c].map((clone) => clone.git("rev-parse", "HEAD^{tree}"));
  expect(new Set(trees).size).toBe(1);
  return { a, b, c, conflicts };
}

it("is one page where one of them moved it", { timeout: 60_000 }, async () => {
  const { c, conflicts } = await meet(
    (b) => set(b, PAGE, "title", "Of B"),
    (clone) => {
      clone.git("mv", PAGE, MOVED);
      set(clone, MOVED, "keywords", "of C");
    },
  );
  expect(withId(c, 1)).toEqual([MOVED]);
  expect(c.text(PAGE)).toBeUndefined();
  expect(c.text(MOVED)).toContain("title: Of B");
  expect(c.text(MOVED)).toContain("keywords: of C");
  expect(conflicts).toEqual([]);
  expect(c.git("log", "--format=%b")).not.toContain("is now");
  expect(complaintsOf(c)).toBe("");
});

it("has both values of a field that both changed, in every clone", { timeout: 60_000 }, async () => {
  const { a, b } = await meet(
    (clone) => {
      clone.git("mv", PAGE, "content/pages/elsewhere.yaml");
      set(clone, "content/pages/elsewhere.yaml", "title", "Of B");
    },
    (clone) => {
      clone.git("mv", PAGE, MOVED);
      set(clone, MOVED, "title", "Of C");
    },
  );
  expect(withId(a, 1)).toEqual(["content/pages/elsewhere.yaml"]);
  expect(a.text("content/pages/elsewhere.yaml")).toContain("title: Of B");
  expect(a.text("content/pages/elsewhere.draft.en.yaml")).toContain("Of C");
  const listed = await Promise.all([a, b].map(listedIn));
  // The removal, from each of the two merges that kept the page, and the title.
  expect(listed[0]!.map(({ kind }) => kind).toSorted()).toEqual(["deleted", "deleted", "field"]);
  expect(listed[0]!.find(({ kind }) => kind === "field")).toEqual({ kind: "field", ours: "Of C", theirs: "Of B" });
  expect(listed[1]).toEqual(listed[0]);
});

it("is merged with the version that both come from, where neither moved it", { timeout: 60_000 }, async () => {
  const { c, conflicts } = await meet(
    (b) => set(b, PAGE, "title", "Of B"),
    (clone) => set(clone, PAGE, "keywords", "of C"),
    // C does not have this commit: the version that was removed is no common one.
    async (a, b) => {
      set(a, PAGE, "description", "of A");
      a.save(DRAFT, "payload:\n  title: Bozza\n");
      a.commit("Draft");
      await a.sync();
      await b.sync();
    },
  );
  expect(conflicts).toEqual([]);
  for (const line of ["title: Of B", "keywords: of C", "description: of A"]) expect(c.text(PAGE)).toContain(line);
  expect(c.text(DRAFT)).toContain("Bozza");
});

it("is two pages where each clone made one with this id", { timeout: 60_000 }, async () => {
  const make = (clone: Clone, path: string): void => {
    clone.save(
      path,
      clone
        .text(PAGE)!
        .replace("id: 1", "id: 9")
        .replaceAll(/page-1|pagina-1/g, path.slice(14, -5)),
    );
    clone.commit(path);
  };
  const { c } = await meet(
    (b) => make(b, "content/pages/of-b.yaml"),
    (clone) => make(clone, "content/pages/of-c.yaml"),
  );
  expect(withId(c, 9)).toEqual(["content/pages/of-b.yaml"]);
  expect(c.text("content/pages/of-c.yaml")).toBeDefined();
});
