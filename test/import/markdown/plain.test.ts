/** Imports of Decap, and of folders without a generator. */
import { expect, it } from "vitest";
import { deadLinks, expectUnchanged, importFolder, PICTURE } from "./old-site.ts";

it("carries collections of Decap with their preview paths and languages", async () => {
  const site = await importFolder("decap", {
    "static/admin/config.yml": `media_folder: static/uploads
public_folder: /uploads
i18n: { structure: multiple_folders, locales: [en, it], default_locale: en }
collections:
  - name: blog
    folder: content/blog
    preview_path: journal/{{year}}/{{slug}}
    fields: [{ name: date, widget: datetime }]
  - { name: shop, folder: content/shop, preview_path: "shop/{{fields.kind}}/{{slug}}/{{sku}}", fields: [] }
  - { name: pages, files: [{ name: about, file: content/about.md }] }
`,
    "content/blog/en/2024-01-05-first.md":
      "---\ntitle: First\ndate: 2024-01-05\n---\n![A](/uploads/a.png) [c](/shop/warm-drink/cup/)\n",
    "content/blog/it/2024-01-05-first.md": "---\ntitle: Primo\ndate: 2024-01-05\n---\n",
    "content/shop/en/cup.md": "---\ntitle: Cup\nkind: Warm drink\n---\n",
    "content/about.md": "---\ntitle: About\n---\n[first](/journal/2024/first/)\n",
    "content/left.md": "---\ntitle: Of no collection\n---\n",
    "static/uploads/a.png": PICTURE,
  });
  expect(await site.leads(["/journal/2024/first/", "/shop/warm-drink/cup/", "/about/", "/uploads/a.png"])).toEqual({
    "/journal/2024/first/": "/journal/2024/first/",
    "/shop/warm-drink/cup/": "/shop/warm-drink/cup/",
    "/about/": "/about/",
    "/uploads/a.png": "/media/uploads/a.png",
  });
  expect(await site.page("/journal/2024/first/")).toMatchObject({
    alternates: { it: "/it/journal/2024/first/" },
    content: "![A](/media/uploads/a.png) [c](/shop/warm-drink/cup/)",
  });
  expect(site.remarks).toEqual([
    "content/left.md: It was no page of the old site: it is not imported.",
    "content/shop/en/cup.md:1: Its address has sku, which is not known here.",
  ]);
  expect(await deadLinks(site)).toEqual([]);
  await expectUnchanged(site);
});

it("carries files of Decap that have all languages, each with what is not translated", async () => {
  const site = await importFolder("decap", {
    "admin/config.yml": `i18n: { structure: single_file, locales: [en, it] }
collections:
  - name: blog
    folder: content/blog
    preview_path: "journal/{{locale}}/{{slug}}"
    i18n: true
    fields:
      - { name: title, i18n: true }
      - { name: date, widget: datetime, i18n: duplicate }
      - { name: draft, widget: boolean }
      - { name: body, widget: markdown, i18n: translate }
  - { name: notes, folder: content/notes, fields: [{ name: title }] }
  - { name: wiki, folder: content/wiki, i18n: { structure: multiple_files }, fields: [{ name: title, i18n: true }] }
  - name: pages
    i18n: { structure: multiple_folders }
    files:
      - { name: about, file: content/about.md, i18n: true, fields: [{ name: title, i18n: true }] }
      - { name: plain, file: content/plain.md, fields: [{ name: title }] }
`,
    "content/blog/first.md": `---
layout: post
it:
  title: Primo
  body: "[secondo](second.md)"
en:
  title: First
  date: 2024-01-05
  body: |-
    One

    [second](second.md)
---
`,
    "content/blog/second.md": `---
en: { title: Second, date: 2024-01-06, body: Two }
it: { title: Secondo, date: 2024-01-07, body: Due }
---
`,
    "content/blog/hidden.md":
      "---\nen: { title: Hidden, date: 2024-01-05, draft: true }\nit: { title: Nascosto }\n---\n",
    "content/blog/old.md": "---\ntitle: Before the languages\ndate: 2024-01-05\n---\nText\n",
    "content/notes/note.md": "---\ntitle: Note\nen: { title: No language }\n---\n",
    "content/wiki/entry.en.md": "---\ntitle: Entry\n---\n",
    "content/wiki/entry.it.md": "---\ntitle: Voce\n---\n",
    "content/about.md":
      "---\nen: { title: About }\nit: { title: Chi siamo, body: '[voce](wiki/entry.it.md)' }\n---\nTop\n",
    "content/plain.md": "---\ntitle: Plain\n---\n",
  });
  expect(await site.page("/journal/en/first/")).toMatchObject({
    title: "First",
    alternates: { it: "/it/journal/it/first/" },
    content: "One\n\n[second](/journal/en/second/)",
    template_data: { layout: "post" },
  });
  expect(await site.page("/it/journal/it/first/")).toMatchObject({
    title: "Primo",
    pubblication_date: "2024-01-05T00:00:00Z",
    content: "[secondo](/it/journal/it/second/)",
    template_data: { layout: "post" },
  });
  expect(await site.leads(["/journal/it/first/", "/journal/en/hidden/", "/it/journal/it/hidden/"])).toEqual({
    "/journal/it/first/": "/it/journal/it/first/",
    "/journal/en/hidden/": "nothing",
    "/it/journal/it/hidden/": "nothing",
  });
  expect(await site.page("/journal/en/old/")).toMatchObject({ title: "Before the languages", content: "Text" });
  expect(await site.page("/notes/note/")).toMatchObject({
    title: "Note",
    template_data: { en: { title: "No language" } },
  });
  expect(await site.page("/it/wiki/entry/")).toMatchObject({ title: "Voce" });
  expect(await site.page("/about/")).toMatchObject({ title: "About", template_data: { body: "Top" } });
  expect(await site.page("/it/about/")).toMatchObject({
    title: "Chi siamo",
    template_data: { body: "[voce](/it/wiki/entry/)" },
  });
  expect(await site.page("/plain/")).toMatchObject({ title: "Plain" });
  expect(await deadLinks(site)).toEqual([]);
  await expectUnchanged(site);
});

it("carries a folder without a generator, and tells front matter that cannot be read", async () => {
  const site = await importFolder(
    "plain",
    {
      "README.md": "# Everything\n\n[a](docs/a.md) [b](./docs/b.md#part) [gone](docs/gone.md)\n",
      "docs/README.md": "# Docs\n",
      "docs/a.md": "---\ntitle: A\nurl: /letters/a/\n---\n![P](../img/p.png) [[wiki]] `[code](b.md)`\n",
      "docs/b.md": "+++\ntitle = 'B'\nslug = 'bee'\ndate = 2024-01-05\n+++\n<img src='../img/p.png'>\n",
      "docs/b.it.md": "+++\ntitle = 'Bi'\nslug = 'bee'\ndate = 2024-01-05\n+++\n",
      "it/chi.md": "# Chi siamo\n",
      "broken.md": "+++\ntitle = \n+++\nText\n",
      "img/p.png": PICTURE,
    },
    true,
  );
  expect(
    await site.leads(["/", "/docs/", "/letters/a/", "/docs/bee/", "/it/docs/bee/", "/it/chi/", "/img/p.png"]),
  ).toEqual({
    "/": "/",
    "/docs/": "/docs/",
    "/letters/a/": "/letters/a/",
    "/docs/bee/": "/docs/bee/",
    "/it/docs/bee/": "/it/docs/bee/",
    "/it/chi/": "/it/chi/",
    "/img/p.png": "/media/img/p.png",
  });
  expect((await site.page("/")).template_data.body).toBe(
    "# Everything\n\n[a](/letters/a/) [b](/docs/bee/#part) [gone](docs/gone.md)",
  );
  expect((await site.page("/letters/a/")).template_data.body).toBe("![P](/media/img/p.png) [[wiki]] `[code](b.md)`");
  expect((await site.page("/docs/bee/")).content).toBe("<img src='/media/img/p.png'>");
  expect(site.remarks).toEqual([
    expect.stringMatching(/^broken\.md:2: It cannot be read: /),
    "README.md:3: Leads to docs/gone.md, which is not in the source: it is kept as it is.",
  ]);
  await expectUnchanged(site);
});

it("tells what Markdown has elsewhere only, and reads files that are not UTF-8", async () => {
  const site = await importFolder("plain", {
    "notes.md": "# Notes\n\nText[^1]\n\n`[^2]: code`\n\n[^1]: The note.\n[^3]: Another.\n",
    "marks.md": "# Marks {#marks}\n\n{: .note}\nOf a note\n\n```\n{: .code}\n```\n",
    "words.md": "# Words\n\nTerm\n: What it is\n",
    "plain.md": "# Plain\n\nA {brace} and a [^caret.\n\n: no definition\n",
    "latin.md": Buffer.from("# Caf\u00e9\n", "latin1"),
    "wide.md": Buffer.from("\uFEFF# Caff\u00e8\n", "utf16le"),
  });
  expect(site.remarks).toEqual([
    "latin.md: This is not UTF-8: it was read as windows-1252. Check its letters.",
    "wide.md: This is not UTF-8: it was read as utf-16le. Check its letters.",
    "marks.md:1: An attribute in braces is shown as it is written: Markdown has none here.",
    "notes.md:7: A footnote is shown as it is written: Markdown has none here.",
    "words.md:4: A definition list is shown as it is written: Markdown has none here.",
  ]);
  expect(await site.page("/latin/")).toMatchObject({ title: "Café" });
  expect(await site.page("/wide/")).toMatchObject({ title: "Caffè" });
});
