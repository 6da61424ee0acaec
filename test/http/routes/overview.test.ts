/** The latest commits, and problems: what the first screen of the editor shows of the whole site. */
import { expect, it } from "vitest";
import { memorySite, writeTemplate } from "../../site.ts";

it("lists the latest commits that changed content, newest first, with their records", async () => {
  const { api, ask, repo, cms, clock } = await memorySite();
  const page = await api("POST", "pages/", { title: "About" });
  clock.tick(1000);
  await api("PATCH", `pages/${page.id}/draft/`, { description: "Soon" });
  repo.write("README.md", "Not content\n");
  repo.commitByHand("Say what this is");
  await cms.store.refresh();
  clock.tick(1000);
  repo.write(
    "content/pages/about.yaml",
    repo.text("content/pages/about.yaml")!.replace("title: About", "title: About us"),
  );
  repo.commitByHand("Mend the title\n\nIt said less than the page does.");
  await cms.store.refresh();

  const changes = await api("GET", "changes/?items=2");
  expect(changes).toMatchObject([
    {
      commit: (await repo.state()).head,
      author: "Pat Person",
      subject: "Mend the title",
      file_count: 1,
      files: [{ path: "content/pages/about.yaml", record: { model: "Page", id: page.id } }],
    },
    { author: "staff", subject: 'Save draft of "About" (en)', file_count: 1 },
  ]);
  await api("DELETE", `pages/${page.id}/`);
  const [removal] = await api("GET", "changes/?items=1");
  expect(removal.files).toContainEqual({ path: "content/pages/about.yaml", record: null });

  for (const items of ["0", "101", "-1", "two", ""])
    expect((await ask("GET", `api:changes/?items=${items}`, { as: "staff" })).body).toEqual({
      items: ["Expected: a whole number from 1 to 100."],
    });
  expect((await ask("GET", "api:changes/", { as: "reader" })).status).toBe(403);
  expect((await ask("GET", "api:changes/")).status).toBe(401);
});

it("lists files with problems, with their lines, and templates that failed", async () => {
  const site = await memorySite();
  const { api, repo, cms } = site;
  expect(await api("GET", "problems/")).toEqual([]);
  repo.write("content/pages/broken.yaml", "id: 7\ntranslations:\n  en: { title: [unclosed\n");
  await cms.store.refresh();
  writeTemplate(site, "defaults/pages/default.html", "{{ page.title | no_such_filter }}");
  const page = await site.page({ title: "Shown" }, ["en"]);
  const shown = await site.ask("GET", `${page.permalink}/`, { headers: { accept: "text/html" } });
  expect(shown.status).toBe(500);
  const [file, template] = await api("GET", "problems/");
  expect(file).toMatchObject({ path: "content/pages/broken.yaml", severity: "error" });
  expect(file.line).toBeGreaterThan(0);
  expect(template).toMatchObject({ path: "templates/defaults/pages/default.html", line: null });
  expect((await site.ask("GET", "api:problems/", { as: "reader" })).status).toBe(403);
});
