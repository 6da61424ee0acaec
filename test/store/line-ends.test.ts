/** Texts that come with `\r\n`, as from forms of browsers and from imports, are stored with `\n`. */
import { expect, it } from "vitest";
import { expectUnchanged, importFolder } from "../import/markdown/old-site.ts";
import { memorySite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const TEXT = "One\r\n\r\n- two\r\n- three\r\n";
const STORED = "One\n\n- two\n- three\n";
/** In the quotes of YAML, since a person wrote it. */
const BY_HAND = 'id: 7\ntranslations:\n  en:\n    title: Old\n    description: "a\\r\\nb"\n';

it("are block scalars in every kind of record, and are answered as they are stored", async () => {
  const site = await memorySite();
  const page = await site.api("POST", "pages/", {
    title: "Page",
    template_data: { body: TEXT, list: [{ text: TEXT }] },
  });
  expect(page.template_data).toEqual({ body: STORED, list: [{ text: STORED }] });
  const drafted = await site.api("PATCH", `pages/${page.id}/draft/`, { template_data: { body: `${TEXT}more` } });
  expect(JSON.stringify(drafted)).not.toContain("\\r");
  const article = await site.api("POST", "articles/", { title: "Article", content: TEXT });
  expect(article.content).toBe(STORED);
  await site.api("POST", "contents/", { identifier: "notice", content: TEXT });
  const type = await site.api("POST", "meta-types/", {
    name: "Type",
    key: "type",
    schema: [{ name: "text", kind: "text" }],
  });
  await site.api("POST", "meta-instances/", { meta_type: type.id, data: { text: TEXT } });
  for (const [path] of await site.repo.files(["content"])) expect(site.repo.text(path)).not.toMatch(/\\r|\r/);
  expect(site.repo.text("content/pages/page.yaml")).toContain("      body: |\n        One\n\n        - two\n");
  await expectSameAfterRestart(site);
});

it("stay as a person wrote them until they are changed", async () => {
  const site = await memorySite({ "content/pages/a.yaml": BY_HAND });
  const read = await site.api("GET", "pages/7/");
  await site.api("PUT", "pages/7/", read);
  await site.api("PATCH", "pages/7/", { title: "New" });
  expect(site.repo.text("content/pages/a.yaml")).toContain('description: "a\\r\\nb"');
  await site.api("PATCH", "pages/7/", { description: "c\r\nd" });
  expect((await site.api("GET", "pages/7/")).description).toBe("c\nd");
});

it("of imported files are stored alike, and an import of the same files changes nothing", async () => {
  const site = await importFolder("jekyll", {
    "_config.yml": "title: Old\r\n",
    "_posts/2024-01-05-first.md": `---\r\ntitle: First\r\ndescription: "a\\r\\nb"\r\n---\r\n${TEXT}`,
  });
  const text = site.repo.text("content/articles/first.yaml")!;
  expect(text).not.toMatch(/\\r|\r/);
  expect(text).toMatch(/content: \|-?\n/);
  await expectUnchanged(site);
});
