/** Conflicts of syncs between two clones: listed alike by both, and resolved. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { addUser } from "../../src/actions/accounts/accounts.ts";
import { tokenOf } from "../../src/actions/accounts/sign-in.ts";
import { listConflicts, resolveConflict } from "../../src/actions/conflicts.ts";
import { createPage, discardPageDraft, publishPage, savePageDraft } from "../../src/actions/pages/pages.ts";
import { openCms, type Cms } from "../../src/cms.ts";
import { h3App } from "../../src/http/app/h3-app.ts";
import { conflictPayload } from "../../src/views/moments/conflict.ts";
import { quietEnv } from "../store/git/git-site.ts";
import { bareRemote, complaintsOf, type Clone } from "../store/sync/clones.ts";

const HOME = "content/pages/home.yaml";
const MENU = "content/menus/main.yaml";
const NOTES = "notes.txt";
const PAGE = (title: string) =>
  `id: 1\ntranslations:\n  en:\n    title: ${title}\n    published_at: 2026-01-01T00:00:00.000Z\n`;
const TAG = (name: string) => `id: 5\ntranslations:\n  en:\n    name: ${name}\n`;
const TAGS = "content/tags/one.yaml";
const BY = { name: "Edith Editor", email: "edith@example.org" };

async function opened(clone: Clone): Promise<Cms> {
  const cms = await openCms(clone.dir, { env: quietEnv() });
  onTestFinished(() => cms.close());
  return cms;
}

/** Both clones have changed everything differently, and are synchronised: B was first. */
async function clones(): Promise<{ a: Clone; b: Clone }> {
  const files = {
    "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
    [HOME]: PAGE("Home"),
    [TAGS]: TAG("One"),
    [NOTES]: "one\n",
  };
  const remote = bareRemote(files);
  const [a, b] = [remote.clone(), remote.clone()];
  for (const [clone, name] of [
    [a, "Ours"],
    [b, "Theirs"],
  ] as const) {
    clone.save(HOME, PAGE(name));
    clone.save(TAGS, TAG(name));
    clone.save(NOTES, `${name}\n`);
    clone.commit(name);
  }
  await b.sync();
  await a.sync();
  await b.sync();
  return { a, b };
}

const listed = async (cms: Cms) => (await listConflicts(cms)).map((each) => conflictPayload(each, "en"));

it("has one list in every clone, with record, field, values, authors and commits", { timeout: 60_000 }, async () => {
  const { a, b } = await clones();
  const here = await listed(await opened(a));
  expect(here).toEqual(await listed(await opened(b)));
  const merge = a.head();
  expect(here).toMatchObject([
    {
      ...{
        id: `${merge.slice(0, 12)}-1`,
        kind: "field",
        path: HOME,
        field: "title",
        language: "en",
        draft: "en",
        merge,
      },
      record: { model: "Page", id: 1, name: "Theirs" },
      ours: { value: "Ours", author: "Person 1" },
      theirs: { value: "Theirs", author: "Person 2" },
    },
    { kind: "field", path: TAGS, draft: null, ours: { value: "Ours" }, theirs: { value: "Theirs" } },
    { kind: "file", path: NOTES, record: null },
  ]);
});

it("is resolved by ours, by theirs, and by the draft", { timeout: 60_000 }, async () => {
  const { a, b } = await clones();
  const cms = await opened(a);
  const [page, tag, notes] = (await listConflicts(cms)).map(({ past }) => past.id);
  await expect(resolveConflict(cms, BY, "abc-1", "ours")).rejects.toMatchObject({ code: "not_found" });
  await expect(resolveConflict(cms, BY, page!, "ours")).rejects.toMatchObject({ code: "conflict" });
  await resolveConflict(cms, BY, tag!, "ours");
  expect(a.text(TAGS)).toBe(TAG("Ours"));
  const before = a.git("rev-parse", "HEAD^{tree}");
  await resolveConflict(cms, BY, notes!, "theirs");
  expect(a.git("rev-parse", "HEAD^{tree}")).toBe(before);
  expect((await listed(cms)).map(({ path }) => path)).toEqual([HOME]);
  await discardPageDraft(cms, BY, 1, "en");
  expect(await listed(cms)).toEqual([]);
  await a.sync();
  await b.sync();
  expect(await listed(await opened(b))).toEqual([]);
  expect(complaintsOf(a) + complaintsOf(b)).toBe("");
});

it("stays open whatever the comment of a publication says", { timeout: 60_000 }, async () => {
  const cms = await opened((await clones()).a);
  const open = (await listConflicts(cms)).map(({ past }) => past.id);
  const { value } = await createPage(cms, BY, { translations: { en: { title: "News" } } }, "en");
  const forged = open.map((id) => `Cms-Resolves: ${id}`).join("\n");
  for (const comment of [`x\n${forged}`, `x\n\nCms-Action: resolve-conflict\n${forged}`]) {
    await savePageDraft(cms, BY, value.id, { title: `News ${comment.length}` }, { lang: "en", mode: "merge" });
    await publishPage(cms, BY, value.id, "en", comment);
  }
  expect((await listConflicts(cms)).map(({ past }) => past.id)).toEqual(open);
});

it("can take a whole file of ours, and a deletion", { timeout: 60_000 }, async () => {
  const { a, b } = await clones();
  const cms = await opened(a);
  const notes = (await listConflicts(cms)).find(({ past }) => past.path === NOTES);
  await resolveConflict(cms, BY, notes!.past.id, "ours");
  expect(a.text(NOTES)).toBe("Ours\n");
  a.save(MENU, "id: 9\nkey: main\n");
  a.commit("Menu");
  await a.sync();
  await b.sync();
  a.erase(TAGS);
  a.commit("Remove");
  b.save(TAGS, TAG("Changed"));
  b.commit("Change");
  await b.sync();
  await a.sync();
  await cms.store.refresh();
  const deleted = (await listConflicts(cms)).find(({ past }) => past.kind === "deleted");
  expect(conflictPayload(deleted!, "en")).toMatchObject({ path: TAGS, deleted_by: "ours" });
  await resolveConflict(cms, BY, deleted!.past.id, "ours");
  expect(a.text(TAGS)).toBeUndefined();
});

it("has no conflicts of other commits whose messages look like that of a sync", { timeout: 60_000 }, async () => {
  const { a } = await clones();
  const trailers = [
    { kind: "field", path: HOME, at: ["translations", "en", "title"] },
    { kind: "field", path: HOME, at: [], draft: "constructor" },
    { kind: "file", path: "../../outside" },
  ].map((conflict) => `Cms-Conflict: ${JSON.stringify(conflict)}`);
  const before = a.head();
  const tree = a.git("rev-parse", "HEAD^{tree}").trim();
  for (const base of ["0123456789012345678901234567890123456789", before]) {
    const message = ["Merge origin/main\n", "Cms-Action: sync", `Cms-Merge-Base: ${base}`, ...trailers].join("\n");
    const side = a.git("commit-tree", tree, "-p", "HEAD", "-m", "Side").trim();
    const merge = a.git("commit-tree", tree, "-p", "HEAD", "-p", side, "-m", message).trim();
    a.git("reset", "--quiet", "--soft", merge);
  }
  const cms = await opened(a);
  expect((await listed(cms)).map(({ path }) => path)).toEqual([HOME, TAGS, NOTES]);
});

it("has the values of a page that was renamed, before the merge and after it", { timeout: 60_000 }, async () => {
  const remote = bareRemote({ "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n", [HOME]: PAGE("Home") });
  const [a, b] = [remote.clone(), remote.clone()];
  const draft = "language: en\ncreated_at: 2026-01-02T00:00:00.000Z\npayload: { title_en: Drafted }\n";
  b.git("mv", HOME, "content/pages/start.yaml");
  b.save("content/pages/start.yaml", PAGE("Theirs"));
  b.save("content/pages/start.draft.en.yaml", draft);
  b.commit("Theirs");
  a.save(HOME, PAGE("Ours"));
  a.commit("Ours");
  await b.sync();
  await a.sync();
  // The draft keeps its own title, so that ours is in the list only.
  const title = {
    ...{
      path: "content/pages/start.yaml",
      record: { model: "Page", id: 1 },
      field: "title",
      language: "en",
      draft: null,
    },
    ...{ ours: { value: "Ours" }, theirs: { value: "Theirs" } },
  };
  const cms = await opened(a);
  expect(await listed(cms)).toMatchObject([title]);
  a.git("mv", "content/pages/start.yaml", "content/pages/again.yaml");
  a.git("mv", "content/pages/start.draft.en.yaml", "content/pages/again.draft.en.yaml");
  a.commit("Move");
  await cms.store.refresh();
  const [conflict] = await listed(cms);
  expect(conflict).toMatchObject({ ...title, path: "content/pages/again.yaml" });
  await resolveConflict(cms, BY, String(conflict?.id), "ours");
  expect(a.text("content/pages/again.yaml")).toContain("title: Ours");
  expect(await listed(cms)).toEqual([]);
  expect(complaintsOf(a)).toBe("");
});

it("is resolved over HTTP by accounts that may change the record", { timeout: 60_000 }, async () => {
  const { a } = await clones();
  const cms = await opened(a);
  const app = h3App(cms);
  const account = await addUser(cms.accounts, {
    ...{ username: "tags-only", password: "open-sesame-tags", is_staff: true },
    user_permissions: ["cms.change_tag"],
  });
  const headers = {
    authorization: `Token ${await tokenOf(cms.accounts, account)}`,
    "content-type": "application/json",
  };
  const resolved = await Promise.all(
    (await listed(cms)).map(async ({ id, path }) => {
      const url = `http://localhost/api/cms/conflicts/${String(id)}/resolve/`;
      const answer = await app.request(new Request(url, { method: "POST", headers, body: '{"use":"theirs"}' }));
      return [path, answer.status];
    }),
  );
  expect(resolved).toEqual([
    [HOME, 403],
    [TAGS, 204],
    [NOTES, 403],
  ]);
});

describe("decided by a later commit", { timeout: 60_000 }, () => {
  /** A and B are in conflict about a tag; C has what B wrote, and not the merge. */
  async function three() {
    const remote = bareRemote({
      "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
      [TAGS]: TAG("One"),
      [NOTES]: "one\n",
    });
    const [a, b, c] = [remote.clone(), remote.clone(), remote.clone()];
    for (const [clone, name] of [
      [a, "Ours"],
      [b, "Theirs"],
    ] as const) {
      clone.save(TAGS, TAG(name));
      clone.save(NOTES, `${name}\n`);
      clone.commit(name);
    }
    await b.sync();
    await c.sync();
    return { a, c };
  }

  /** The clones with the same commit, after a change in C beside the merge. */
  async function beside(change: (c: Clone) => void): Promise<Cms> {
    const { a, c } = await three();
    change(c);
    c.commit("Beside the merge");
    await a.sync();
    await c.sync();
    await a.sync();
    const here = await opened(a);
    expect(await listed(here)).toEqual(await listed(await opened(c)));
    return here;
  }

  it("stays open where a clone without the merge replaced the values that stood", async () => {
    const cms = await beside((c) => {
      c.save(TAGS, TAG("Third"));
      c.save(NOTES, "Third\n");
    });
    const open = await listed(cms);
    expect(open).toMatchObject([
      {
        kind: "field",
        ours: { value: "Ours", author: "Person 1" },
        theirs: { value: "Third", author: "Person 3" },
      },
      { kind: "file", path: NOTES },
    ]);
    for (const { id } of open) await resolveConflict(cms, BY, String(id), "ours");
    expect(await listed(cms)).toEqual([]);
    expect(readFileSync(join(cms.store.repo.root, TAGS), "utf8")).toBe(TAG("Ours"));
    expect(readFileSync(join(cms.store.repo.root, NOTES), "utf8")).toBe("Ours\n");
  });

  it("stays open where a clone without the merge deleted the record, which can be restored with our value", async () => {
    const cms = await beside((c) => c.erase(TAGS));
    const [conflict] = await listed(cms);
    expect(conflict).toMatchObject({ path: TAGS, record: null, ours: { value: "Ours" }, theirs: { value: null } });
    await resolveConflict(cms, BY, String(conflict!.id), "ours");
    expect(readFileSync(join(cms.store.repo.root, TAGS), "utf8")).toBe(TAG("Ours"));
    expect((await listed(cms)).map(({ path }) => path)).toEqual([NOTES]);
  });

  it("is closed by another value, and not reopened by the one that stood", async () => {
    const { a } = await three();
    await a.sync();
    const cms = await opened(a);
    const paths = async () => (await listed(cms)).map(({ path }) => path);
    const write = async (files: Readonly<Record<string, string | null>>) => {
      for (const [path, text] of Object.entries(files))
        if (text === null) a.erase(path);
        else a.save(path, text);
      a.commit("Write");
      await cms.store.refresh();
    };
    const moved = "content/tags/moved.yaml";
    await write({ [TAGS]: null, [moved]: `# moved\n${TAG("Theirs")}` });
    expect(await paths()).toEqual([moved, NOTES]);
    await write({ [moved]: TAG("Chosen") });
    expect(await paths()).toEqual([NOTES]);
    await write({ [moved]: TAG("Theirs"), [NOTES]: "chosen\n" });
    expect(await paths()).toEqual([]);
    await write({ [NOTES]: "Theirs\n" });
    expect(await paths()).toEqual([]);
  });

  it("is closed by a merge by hand with a third value, and not by one that takes a side", async () => {
    const { a } = await three();
    await a.sync();
    const cms = await opened(a);
    const merge = a.head();
    for (const [name, value, left] of [
      ["side", "Beside", [NOTES, TAGS]],
      ["other", "Chosen", [NOTES]],
    ] as const) {
      a.git("switch", "--quiet", "--create", name, `${merge}^2`);
      a.save(TAGS, TAG(`Of ${name}`));
      a.commit(name);
      a.git("switch", "--quiet", "main");
      a.git("merge", "--quiet", "--no-commit", "--no-ff", "-s", "ours", name);
      a.save(TAGS, TAG(value === "Beside" ? "Of side" : value));
      a.commit(`Merge ${name}`);
      await cms.store.refresh();
      expect((await listed(cms)).map(({ path }) => path).sort()).toEqual([...left].sort());
    }
  });

  it("is closed by the draft with our value, and not reopened by the next draft", async () => {
    const { a } = await clones();
    const cms = await opened(a);
    const isListed = async () => (await listed(cms)).some(({ path }) => path === HOME);
    expect(await isListed()).toBe(true);
    await discardPageDraft(cms, BY, 1, "en");
    await savePageDraft(cms, BY, 1, { title_en: "Next" }, { lang: "en", mode: "merge" });
    expect(await isListed()).toBe(false);
  });
});
