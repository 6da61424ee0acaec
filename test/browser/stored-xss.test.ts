/**
 * Stored XSS in the editor: hostile texts in every field, shown on every screen. No script of content runs, no address
 * of a script is a link, and no markup of content gets far enough for the Content-Security-Policy to stop it.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { ADDRESSES, type Address } from "../../src/admin/addresses.ts";
import { KIND_NAMES } from "../../src/model/fields/definition.ts";
import { CHROMIUM, withChromium } from "../support/browser.ts";
import { openEditor, PASSWORD, signIn } from "./editor-site.ts";

/** Each would call `alert`, which opens a dialog, or set `hacked`. */
const ATTACKS = [
  `<img src=x onerror=alert(1)>`,
  `"><svg onload=alert(2)>`,
  `</script><script>top.hacked=1;alert(3)</script>`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe>`,
  `'-alert(4)-'{{ ''.constructor.constructor('alert(5)')() }}`,
  '[a](javascript:alert(6)) <javascript:alert(7)> ![b](x" onerror="alert(8))',
  "<a href=javascript:alert(9)>c</a><style>@import'//evil.example'</style>",
  "<!--<details open ontoggle=alert(10)>&lt;img onerror=alert(11)&gt;",
];
const ALL = ATTACKS.join(" ");
const YAML = JSON.stringify(ALL);
const TITLE = JSON.stringify(`T ${ATTACKS[0]} ${ATTACKS[1]}`);

/** A field of every kind. */
const SCHEMA = [
  ...[
    ...["string", "text", "html", "integer", "number", "boolean", "date", "datetime", "media", "permalink"],
    ...["email", "url", "phone", "textarea", "time", "color", "location"],
  ].map((kind) => ({
    name: `a_${kind}`,
    kind,
    label: `${kind} ${ATTACKS[0]}`,
    placeholder: ATTACKS[1],
    help: ATTACKS[0],
    group: ATTACKS[1],
  })),
  { name: "a_select", kind: "select", label: ATTACKS[1], choices: [{ value: ATTACKS[0], label: ATTACKS[1] }] },
  { name: "a_ref", kind: "ref", target_model: "cms.Page", label: ATTACKS[0] },
  { name: "a_queryset", kind: "queryset", target_model: "cms.Tag", label: ATTACKS[1] },
  { name: "a_group", kind: "group", label: ATTACKS[0], children: [{ name: "words", label: ATTACKS[1] }] },
  { name: "a_blocks", kind: "blocks", label: ATTACKS[0] },
  { name: "a_list", kind: "list", label: ATTACKS[1], children: [{ name: "words", label: ATTACKS[0] }] },
];
const INSTANCE = {
  ...{ a_string: ALL, a_text: ALL, a_textarea: ALL, a_html: ALL, a_select: ATTACKS[0], a_ref: 20, a_queryset: [30] },
  ...{ a_group: { words: ALL }, a_list: [{ words: ALL }, { words: ATTACKS[0] }] },
  a_blocks: [{ type: "note", words: ALL }],
};
const BLOCK_TYPE = `label: ${TITLE}
description: ${TITLE}
category: ${TITLE}
schema: [{ name: words, label: ${TITLE} }]
`;

const MODEL = `schema:
  - { name: lead, kind: string, placeholder: ${TITLE}, label: ${TITLE} }
  - { name: body, kind: text }
  - { name: markup, kind: html }
  - { name: wind, kind: select, choices: [{ value: n, label: ${TITLE} }] }
  - { name: link, kind: permalink }
  - { name: beds, kind: list, children: [{ name: kind }] }
  - { name: subject, kind: ref, target_model: cms.Tag }
`;
const DATA = `{ lead: ${YAML}, body: ${YAML}, markup: ${YAML}, wind: n, link: { link_type: ST, static: "/x" }, beds: [{ kind: ${YAML} }], subject: 30 }`;
const TEXTS = ["description", "keywords", "breadcrumbs_title", "og_title", "og_description", "og_type"];
const page = (id: number, more = ""): string => `id: ${id}
date_created: 2026-01-02T00:00:00.000Z
${more}translations:
  en:
    title: ${TITLE}
    permalink: /p${id}
    published_at: 2026-01-02T00:00:00.000Z
${TEXTS.map((name) => `    ${name}: ${TITLE}\n`).join("")}    template_data: ${more === "" ? `{ lead: ${YAML}, ${TITLE}: ${YAML} }` : DATA}
`;

const FILES = {
  "content/page-models/room.yaml": MODEL,
  "content/block-types/note.yaml": BLOCK_TYPE,
  "content/pages/p20.yaml": page(20, "model: room\n"),
  "content/pages/p21.yaml": page(21, "").replace("date_created", "parent_page: 20\ndate_created"),
  "content/pages/p20.draft.en.yaml": `created_at: 2026-01-03T00:00:00Z\nupdated_at: 2026-01-03T00:00:00Z\nscheduled_for: 2099-01-01T08:00:00Z\npayload: { title: ${TITLE} }\n`,
  "content/tags/t.yaml": `id: 30\ntranslations:\n  en: { name: ${TITLE} }\n`,
  "content/menus/main.yaml": `id: 40\nkey: main\nenabled: true\ntranslations:\n  en:\n    nodes:\n      - { title: ${TITLE}, link: { link_type: ST, static: "javascript:alert(1)" } }\n`,
  "templates/defaults/articles/default.html":
    "<body><h1>{{ page.title }}</h1>{{ page.content | markdown }}<a href='{{ page.description }}'>x</a></body>",
  "templates/defaults/pages/default.html":
    "<body><h1>{{ page.title }}</h1>{{ page.template_data.body | markdown }}{{ page.template_data.markup }}<a href='{{ page.template_data.lead }}'>x</a></body>",
};

/** What an attack would have left behind, in any frame. */
async function harm(open: Page): Promise<string[]> {
  const found: string[] = [];
  for (const frame of open.frames()) {
    // A frame that loads when it is seen has no document yet, and an evaluation would wait for one.
    if (frame.url() === "" || frame.url() === "about:blank") continue;
    const seen = await frame
      .evaluate(() => {
        const { hacked, document } = globalThis as unknown as {
          hacked?: unknown;
          document: { querySelectorAll(of: string): Iterable<{ outerHTML: string }> };
        };
        const links = [
          ...document.querySelectorAll('a[href^="javascript:" i], [onerror], [onload], [ontoggle], iframe[srcdoc]'),
        ];
        return [...(hacked === undefined ? [] : ["hacked"]), ...links.map(({ outerHTML }) => outerHTML)];
      })
      .catch(() => []); // a frame that has gone
    found.push(...seen);
  }
  return found;
}

it.skipIf(!CHROMIUM)(
  withChromium("hostile texts in every field, on every screen, run no script and make no markup"),
  { timeout: 240_000 },
  async () => {
    const { page: open, server, git, failures } = await openEditor(FILES, "pages/20");
    const dialogs: string[] = [];
    open.on("dialog", (dialog) => {
      if (dialog.type() !== "confirm") dialogs.push(dialog.message());
      void dialog.accept();
    });
    await open.getByRole("textbox", { name: "Title", exact: true }).waitFor();
    // The editor of Markdown is loaded once it is seen.
    await open.getByRole("textbox", { name: "Body" }).evaluate((body) => body.scrollIntoView());
    await open.getByRole("button", { name: "Bold" }).waitFor();
    await open.getByRole("button", { name: "Page settings" }).click();
    for (const summary of ["Search engines and social networks", "Place and layout"])
      await open.getByText(summary).click();
    await open.frameLocator("iframe").getByRole("heading").first().waitFor();
    expect(await harm(open)).toEqual([]);

    // Typed into every field, previewed, saved and published.
    let answer = "";
    open.on("response", async (response) => {
      if (!response.url().includes("/live-preview/") || response.request().method() !== "POST") return;
      const status = response.status();
      answer = `${status} ${status === 200 ? "" : await response.text().catch(() => "")}`;
    });
    const identifier = await open.getByRole("textbox", { name: "Identifier" }).inputValue();
    const fields = open
      .getByRole("group", { name: "Form of the page" })
      .or(open.getByRole("complementary", { name: "Page settings" }))
      .getByRole("textbox");
    const count = await fields.count();
    expect(count).toBeGreaterThan(12);
    for (let at = 0; at < count; at++) await fields.nth(at).fill(`${at} ${ALL}`);
    expect(await harm(open)).toEqual([]);
    // The texts that must have a form are put back: the others are stored as they were typed.
    await open.getByRole("textbox", { name: "Canonical address" }).fill("");
    await open.getByRole("textbox", { name: "Address on social networks" }).fill("");
    await open.getByRole("textbox", { name: "Instructions for robots" }).fill("");
    for (const name of ["Keywords", "Type on social networks", "Short title for breadcrumbs", "Identifier"])
      await open.getByRole("textbox", { name }).fill(ATTACKS[0]!);
    await open.getByRole("textbox", { name: "Title", exact: true }).fill(ATTACKS.slice(0, 3).join(" "));
    await open.getByRole("textbox", { name: "Title on social networks" }).fill(ATTACKS[1]!);
    await open.getByRole("textbox", { name: "Identifier" }).fill(identifier);
    const kept = open.waitForResponse((response) => response.url().includes("/autosave/"));
    await open.getByRole("group", { name: "Link" }).getByRole("textbox").fill("/x");
    await expect.poll(() => answer).toBe("200 ");
    await open.frameLocator("iframe").getByRole("heading", { name: /^<img/ }).waitFor();
    await kept;
    expect(await harm(open)).toEqual([]);
    await open.keyboard.press("Control+s");
    await open
      .getByRole("status")
      .getByText(/Saved|That did not work/)
      .first()
      .waitFor();
    expect(await harm(open)).toEqual([]);

    // A file and a folder with such names, uploaded and described.
    const visit = async (path: string, ready: () => Promise<unknown>): Promise<void> => {
      await open.goto(`${server.url}admin/${path}`);
      await ready();
      await open.waitForLoadState("networkidle");
      expect([path, await harm(open)]).toEqual([path, []]);
    };
    const seen = (text: string) => () => open.getByText(text).first().waitFor();
    await visit("media", () => open.getByRole("searchbox").waitFor());
    await open.getByRole("textbox", { name: "Name of a new folder" }).fill(ATTACKS[0]!);
    await open.getByRole("button", { name: "New folder" }).click();
    await open.getByRole("link", { name: /Up/ }).waitFor();
    const buffer = await sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } })
      .png()
      .toBuffer();
    await open.getByLabel("Upload files").setInputFiles({ name: `${ATTACKS[0]}.png`, mimeType: "image/png", buffer });
    await open
      .getByRole("button", { name: /\.png|img/ })
      .first()
      .click();
    await open.getByRole("dialog").getByRole("textbox").first().fill(ATTACKS[0]!);
    await open.getByRole("dialog").getByRole("button", { name: "Save the texts" }).click();
    await open.getByRole("status").getByText("Saved", { exact: true }).waitFor();
    expect(await harm(open)).toEqual([]);

    // Records of every other kind, and fields of every kind.
    expect(SCHEMA.map(({ kind }) => kind).sort()).toEqual([...KIND_NAMES].sort());
    const [, csrf = ""] = /csrftoken=([^;]*)/.exec(await open.evaluate("document.cookie"))!;
    const make = async (path: string, data: object): Promise<{ id: number; name: string }> => {
      const headers = { "x-csrftoken": csrf };
      const made = await open.request.post(`${server.url}api/cms/${path}/`, { headers, data });
      expect([path, made.status(), made.ok() || (await made.text())]).toEqual([path, 201, true]);
      return made.json();
    };
    const [title, description] = [ATTACKS[0], ATTACKS[1]];
    const article = await make("articles", { title, description, content: ALL, tags: [30] });
    const block = await make("contents", { identifier: title, content: ALL });
    const type = await make("meta-types", { key: "walk", name: title, description, schema: SCHEMA });
    const instance = await make("meta-instances", { meta_type: type.id, data: INSTANCE });
    const account = await make("users", {
      ...{ username: "eve", password: PASSWORD, first_name: title, last_name: description, is_staff: true },
    });
    const items = [{ page: 20, language: "en", action: "publish" }];
    const release = await make("releases", { name: "spring", items });

    // In the history, with such an author and comment.
    git(
      "-c",
      `user.name=${ATTACKS[0]!.replace(/[<>]/g, "")}`,
      "-c",
      "user.email=a@b.c",
      "commit",
      "--quiet",
      "--allow-empty",
      `--message=${ALL}`,
    );
    const ids: Partial<Record<Address, string>> = {
      "articles/:id": `articles/${article.id}`,
      "articles/:id/history": `articles/${article.id}/history`,
      "pages/:id": "pages/20",
      "pages/:id/history": "pages/20/history",
      "releases/:key": `releases/${release.name}`,
      "tags/:id": "tags/30",
      "menus/:key": "menus/main",
      "blocks/:id": `blocks/${block.id}`,
      "types/:id": `types/${type.id}`,
      "types/:id/instances": `types/${type.id}/instances`,
      "types/:id/instances/new": `types/${type.id}/instances/new`,
      "types/:id/instances/:id": `types/${type.id}/instances/${instance.id}`,
      "section-types/:key": "section-types/note",
      "accounts/:id": `accounts/${account.id}`,
    };
    await visit("", seen("Latest changes"));
    let asked = 0;
    open.on("request", () => asked++);
    open.on("requestfinished", () => asked--);
    open.on("requestfailed", () => asked--);
    // What a screen asks for is asked after it is drawn, and drawn after the answer.
    const frame = () => open.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");
    const quiet = async (): Promise<void> => {
      await frame();
      await expect.poll(() => asked).toBe(0);
      await frame();
    };
    for (const address of ADDRESSES) {
      const path = ids[address] ?? address;
      // As a link does it, without loading the editor again.
      await open.evaluate(
        `history.pushState(null, "", "/admin/${path}"); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await open.getByRole("heading", { level: 1 }).waitFor();
      await quiet();
      expect([path, await harm(open), failures]).toEqual([path, [], []]);
      // Typed into every field there, and into what the server says about it.
      const inputs = open.getByRole("main").getByRole("textbox");
      for (let at = (await inputs.count()) - 1; at >= 0; at--)
        if (await inputs.nth(at).isEditable()) await inputs.nth(at).fill(ALL, { force: true });
      await open.keyboard.press("Control+s");
      await quiet();
      expect([path, "typed", await harm(open), failures]).toEqual([path, "typed", [], []]);
    }
    for (const [path, ready] of [
      ["pages?as=list", seen("Found:")],
      ["pages?search=%3Cimg%20src=x%20onerror=alert(1)%3E", seen("Found:")],
      [
        "pages?lang=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E",
        () => open.getByRole("heading", { name: "Pages" }).waitFor(),
      ],
      ["pages/21", () => open.getByRole("textbox", { name: "Title", exact: true }).waitFor()],
      ["media?as=list", () => open.getByRole("searchbox").waitFor()],
      ["menus/%3Cimg%20src=x%20onerror=alert(1)%3E", () => open.getByRole("heading", { name: "Menus" }).waitFor()],
      ["%3Cimg%20src=x%20onerror=alert(1)%3E", seen("nothing at this address")],
    ] as const)
      await visit(path, ready);
    // The pages themselves, as visitors see them.
    for (const path of ["p20/", "p21/"]) {
      await open.goto(server.url + path);
      expect([path, await harm(open)]).toEqual([path, []]);
    }
    expect(dialogs).toEqual([]);
    expect(failures).toEqual([]);
    expect(await server.stop()).toBe(0);
  },
);

it.skipIf(!CHROMIUM)(
  withChromium("another site can neither show the editor in a frame, nor write with its session, nor plant one"),
  { timeout: 120_000 },
  async () => {
    const { page: open, server, git, failures } = await openEditor({}, "pages");
    await open.getByRole("treegrid").waitFor();
    const head = git("rev-parse", "HEAD");
    // Another port is another origin on the same site: the browser sends its cookies along.
    const evil = createServer((_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(`<iframe id="framed" src="${server.url}admin/pages"></iframe><iframe name="answer"></iframe>
<form id="form" method="post" target="answer" enctype="text/plain" action="${server.url}api/cms/pages/"><input name='{"title":"Stolen","x":"' value='"}'></form>
<script>
form.submit();
document.title = "waiting";
Promise.allSettled([
  fetch("${server.url}api/cms/pages/", { method: "POST", credentials: "include", mode: "no-cors", body: '{"title":"Stolen"}' }),
  fetch("${server.url}api/cms/pages/", { method: "POST", credentials: "include", headers: { "content-type": "application/json", "x-csrftoken": "x" }, body: '{"title":"Stolen"}' }),
  fetch("${server.url}api/cms/users/current/", { credentials: "include" }).then((response) => response.text()),
]).then((all) => (document.title = all.map(({ status }) => status).join(" ")));
</script>`);
    });
    await new Promise<void>((ready) => evil.listen(0, "127.0.0.1", ready));
    onTestFinished(() => void evil.close());
    await open.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
    await expect.poll(() => open.title()).toMatch(/^fulfilled rejected rejected$/);
    await open.waitForLoadState("networkidle");
    const framed = open.frames().find((frame) => frame.parentFrame() && frame !== open.frame({ name: "answer" }));
    expect(await framed!.evaluate("document.body.innerText").catch(() => "")).not.toContain("Pages");
    expect(git("rev-parse", "HEAD")).toBe(head);
    const titles = (await (await open.request.get(`${server.url}api/cms/pages/`)).json()) as { title: string }[];
    expect(titles.map(({ title }) => title)).toEqual(["About"]);
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toMatch(/frame-ancestors 'none'/);

    // A session that another site planted is not the one that signing in makes, and one that was left is over.
    const context = open.context();
    const sessionOf = async () => (await context.cookies()).find(({ name }) => name === "sessionid")?.value;
    const whoIs = async (session: string | undefined): Promise<number> => {
      const headers = { cookie: `sessionid=${session}` };
      return (await fetch(`${server.url}api/cms/users/current/`, { headers })).status;
    };
    const left = await sessionOf();
    expect(await whoIs(left)).toBe(200);
    await open.goto(`${server.url}admin/pages`);
    await open.getByRole("button", { name: "ada" }).click();
    await open.getByRole("button", { name: "Sign out" }).click();
    await open.getByRole("textbox", { name: "User name" }).waitFor();
    const planted = "A".repeat(43);
    await context.addCookies([{ name: "sessionid", value: planted, url: server.url }]);
    await signIn(open);
    await open.getByRole("treegrid").waitFor();
    expect([await whoIs(left), await whoIs(planted), await whoIs(await sessionOf())]).toEqual([401, 401, 200]);
    expect(await server.stop()).toBe(0);
  },
);
