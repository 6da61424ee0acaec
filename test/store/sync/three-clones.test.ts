/** Values of one field from three clones, and syncs that die between their steps: no value that was committed is lost. */
import { describe, expect, it } from "vitest";
// @ts-expect-error: a script, which has no types
import { siteFiles } from "../../../scripts/soak-sync/site.mjs";
import { listConflicts } from "../../../src/actions/conflicts.ts";
import { openCms } from "../../../src/cms.ts";
import { quietEnv } from "../git/git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "./clones.ts";

const PAGE = "content/pages/page-1.yaml";
const DRAFT = "content/pages/page-1.draft.en.yaml";

function three(): readonly [Clone, Clone, Clone] {
  const remote = bareRemote(siteFiles(1));
  return [remote.clone(), remote.clone(), remote.clone()];
}

const title = (clone: Clone, value: string): void => {
  clone.save(PAGE, clone.text(PAGE)!.replace(/title: .*/, `title: ${value}`));
  clone.commit(value);
};

const draft = (clone: Clone, value: string): void => {
  const at = "2026-01-02T00:00:00.000Z";
  clone.save(DRAFT, `language: en\ncreated_at: ${at}\nupdated_at: ${at}\npayload: { title_en: ${value} }\n`);
  clone.commit(value);
};

function publishDraft(clone: Clone, text: string): void {
  const before = clone.text(PAGE)!;
  const name = text.split(":")[0]!;
  clone.save(
    PAGE,
    before
      .replace(/^  en:\n/m, `  en:\n    ${text}\n`)
      .replace(new RegExp(`(    ${name}: .*\n)    ${name}: .*\n`), "$1"),
  );
  clone.erase(DRAFT);
  clone.commit(`Publish ${text}`);
}

async function syncAll(clones: readonly Clone[]): Promise<void> {
  for (let round = 0; round < 2; round++) for (const clone of clones) await clone.sync();
  expect(new Set(clones.map((clone) => clone.head())).size).toBe(1);
}

/** What the page says live, in its draft and in the list of conflicts of a clone. */
async function found(clone: Clone): Promise<{ live: string | undefined; draft: string; listed: unknown[] }> {
  const cms = await openCms(clone.dir, { env: quietEnv() });
  const listed = (await listConflicts(cms)).map(({ ours }) => ours.value);
  await cms.close();
  expect(complaintsOf(clone)).toBe("");
  return { live: /title: (.*)/.exec(clone.text(PAGE)!)?.[1], draft: clone.text(DRAFT) ?? "", listed };
}

describe("one field in three clones", { timeout: 120_000 }, () => {
  it("has the first value live, and both others in the draft or in the list", async () => {
    const [a, b, c] = three();
    for (const [clone, value] of [
      [a, "Of A"],
      [b, "Of B"],
      [c, "Of C"],
    ] as const)
      title(clone, value);
    await syncAll([c, b, a]);
    const { live, draft: drafted, listed } = await found(a);
    expect(live).toBe("Of C");
    expect(drafted).toContain("Of B");
    expect(listed).toEqual(["Of A", "Of B"]);
    expect(await found(b)).toEqual({ live, draft: drafted, listed });
  });

  it("keeps the value of a conflict beside a draft that another clone saved meanwhile", async () => {
    const [a, b, c] = three();
    title(c, "Of C");
    title(a, "Of A");
    draft(b, "Drafted by B");
    await c.sync();
    await a.sync(); // its title is in a draft that B does not have
    await syncAll([b, c, a]);
    const { live, draft: drafted, listed } = await found(b);
    expect(live).toBe("Of C");
    expect(drafted + JSON.stringify(listed)).toMatch(/Of A/);
    expect(drafted + JSON.stringify(listed)).toMatch(/Drafted by B/);
  });

  it("keeps a value that the list alone has, where a third clone writes the field before it has the merge", async () => {
    const [a, b, c] = three();
    draft(c, "Drafted by C");
    await syncAll([c, a, b]);
    title(b, "Of B");
    await syncAll([b, c]);
    title(c, "Of C, who knows B's");
    title(a, "Of A, who knows neither");
    await a.sync();
    await syncAll([c, b, a]);
    const { live, draft: drafted, listed } = await found(b);
    expect(live).toBe("Of C, who knows B's");
    expect(drafted).toContain("Drafted by C");
    expect(drafted).not.toContain("Of A");
    expect(listed).toEqual(["Of A, who knows neither"]);
  });

  it("keeps a value of a draft that the list alone has, when a later draft without that field is published", async () => {
    const [a, b, c] = three();
    draft(b, "Drafted by B");
    await syncAll([b, c]);
    draft(a, "Drafted by A");
    await a.sync(); // the draft has B's title, and the list A's
    publishDraft(c, "title: Drafted by B");
    await syncAll([c, a, b]);
    expect((await found(c)).listed).toEqual(["Drafted by A"]);
    c.save(DRAFT, c.text(DRAFT) ?? "language: en\npayload: { keywords_en: later }\n");
    c.commit("A draft of keywords");
    publishDraft(c, "keywords: later");
    await syncAll([c, a, b]);
    expect(await found(b)).toEqual({ live: "Drafted by B", draft: "", listed: ["Drafted by A"] });
  });

  it("takes the keywords of a list from all of them", async () => {
    const [a, b, c] = three();
    const data = (clone: Clone, ...names: string[]): void => {
      clone.save("content/tags/one.yaml", `id: 7\nkeywords:\n${names.map((name) => `  - ${name}\n`).join("")}`);
      clone.commit(names.join());
    };
    data(a, "old");
    await syncAll([a, b, c]);
    data(a, "old", "of A");
    data(b, "of B", "old");
    data(c, "old", "of C");
    await syncAll([c, b, a]);
    const text = a.text("content/tags/one.yaml")!;
    for (const name of ["old", "of A", "of B", "of C"]) expect(text.split(`- ${name}\n`)).toHaveLength(2);
    expect((await found(a)).listed).toEqual([]);
  });
});

describe("a sync that dies", { timeout: 120_000 }, () => {
  const dead = new Error("dead");
  it.each([
    ["after the fetch", { merge: () => Promise.reject(dead) }, false],
    ["after the merge, before the push", { pushes: false }, true],
  ] as const)(
    "%s leaves our value on the branch, and the next one brings it to all",
    async (_when, options, isMerged) => {
      const [a, b] = three();
      title(b, "Of B");
      await b.sync();
      title(a, "Of A");
      const ours = a.head();
      const died = await a.sync(options).catch((error: unknown) => error);
      expect(died === dead).toBe(!isMerged);
      expect(a.git("merge-base", ours, "HEAD").trim()).toBe(ours);
      title(b, "Of B again");
      await b.sync();
      await syncAll([a, b]);
      const { live, draft: drafted, listed } = await found(b);
      expect(live).toBe("Of B again");
      expect(drafted).toContain("Of A");
      expect(listed).toContain("Of A");
    },
  );
});
