/** `cms check`: what is wrong, where, and what to do. */
import { symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { cms, PAGE, serve, site, tokenFor } from "./process.ts";

describe("cms check", () => {
  it("says so when there is nothing, and nothing at all with --quiet", async () => {
    const { dir } = site();
    expect(await cms(["check", "--root", dir])).toEqual({
      code: 0,
      out: "",
      err: expect.stringMatching(/No problems\.\n$/),
    });
    expect(await cms(["check", "--root", dir, "--quiet"])).toEqual({ code: 0, out: "", err: "" });
    expect(await cms(["check", "--root", dir, "--json"])).toMatchObject({ code: 0, out: "[]\n" });
  });

  it("finds the site from a folder inside it", async () => {
    const { dir } = site();
    expect((await cms(["check"], { cwd: join(dir, "content/pages") })).code).toBe(0);
  });

  it("finds dead links and anchors in Markdown, not in its code", async () => {
    const { dir, save } = site();
    const body = "[a](/about/#b) [c](#c)\n\n## C\n\n```\n[d](/d)\n```\n\n[e](/e/)";
    save(
      "content/pages/note.yaml",
      `${PAGE(13, "Note").replace(/  it:/, `    template_data: { body: ${JSON.stringify(body)} }\n$&`)}`,
    );
    const { code, out } = await cms(["check", "--root", dir]);
    const place = (column: number): string =>
      `content/pages/note.yaml:8:${column}: warning: translations.en.template_data.body: `;
    expect([code, out]).toEqual([
      0,
      `${place(33)}/about/#b: There is no heading or element with this id. [dead-link]\n${place(88)}/e/: There is no page at this address. [dead-link]\n`,
    ]);
  });

  it.each(["by hand", "through the API"])("warns of what names a page that was deleted %s", async (way) => {
    const data =
      "{ by: 13, named: /gone, link: { link_type: RE, url_node: 13 }, body: '[x](/gone/#y)', to: { link_type: ST, static: /gone } }";
    const { dir, git } = site({
      "content/pages/gone.yaml": PAGE(13, "Gone"),
      "content/pages/below.yaml": `parent_page: 13\n${PAGE(14, "Below")}`,
      "content/pages/named.yaml": `parent_page: /gone\n${PAGE(15, "Named")}`,
      "content/page-models/room.yaml":
        "schema: [{ name: by, kind: ref, target_model: cms.Page }, { name: named, kind: ref, target_model: cms.Page }, { name: link, kind: permalink }, { name: body, kind: text }, { name: to, kind: permalink }]\n",
      "content/pages/note.yaml": `model: room\n${PAGE(16, "Note").replace(/  it:/, `    template_data: ${data}\n$&`)}`,
      "content/menus/main.yaml":
        "id: 3\ntranslations:\n  en:\n    nodes:\n      - { title: A, link: { link_type: RE, url_node: 13 } }\n      - { title: B, link: { link_type: RE, url_node: /gone } }\n",
      "content/contents/hero.yaml":
        "id: 4\nidentifier: hero\npage: 12\ntranslations: { en: { content: '[x](/gone)' } }\n",
      "content/releases/spring.yaml": "id: 5\nitems: [{ page: 13, action: publish, language: en }]\n",
    });
    if (way === "by hand") git("rm", "-q", "content/pages/gone.yaml");
    else {
      git("rm", "-q", "content/pages/below.yaml", "content/pages/named.yaml"); // a page is deleted with those below it
      git("commit", "-qm", "Remove pages");
      const { ask, stop } = await serve(dir, [], { token: await tokenFor(dir) });
      expect((await ask("DELETE", "api/cms/pages/13/")).status).toBe(204);
      await stop();
    }
    const { code, out } = await cms(["check", "--root", dir, "--json", "--every"]);
    const found = JSON.parse(out) as { path: string; severity: string; rule: string; message: string }[];
    expect([code, found.filter(({ severity }) => severity !== "warning")]).toEqual([0, []]);
    const places = found.flatMap(({ path, rule, message }) =>
      rule === "untranslated" ? [] : `${path.slice("content/".length)} ${message.slice(0, message.indexOf(":"))}`,
    );
    const inNote = "pages/note.yaml translations.en.template_data";
    expect([...new Set(places)]).toEqual(
      expect.arrayContaining([
        "contents/hero.yaml translations.en.content",
        "menus/main.yaml translations.en.nodes.0.link.url_node",
        "menus/main.yaml translations.en.nodes.1.link.url_node",
        ...["by", "named", "link.url_node", "body", "to.static"].map((key) => `${inNote}.${key}`),
        ...(way === "by hand"
          ? ["pages/below.yaml parent_page", "pages/named.yaml parent_page", "releases/spring.yaml items.0.page"]
          : []),
      ]),
    );
    const strict = await cms(["check", "--root", dir, "--strict"]);
    expect(strict.code).toBe(1);
  });

  it("lists the problems of a file by line", async () => {
    const { dir, save } = site();
    const texts = ["a", "b", "c"].map((name) => `      ${name}: "[${name}](/${name}/)"\n`).join("");
    save("content/pages/note.yaml", PAGE(13, "Note").replace(/  it:/, `    template_data:\n${texts}$&`));
    const { out } = await cms(["check", "--root", dir]);
    expect(Array.from(out.matchAll(/yaml:(\d+):/g), ([, line]) => Number(line))).toEqual([9, 10, 11]);
  });

  it("lists every problem with file, line, column and reason, and ends with 1", async () => {
    const { dir, save } = site();
    save("content/pages/broken.yaml", "id: 20\ntranslations:\n  en: [\n");
    save("content/pages/empty.yaml", "");
    save("content/pages/copy.yaml", PAGE(12, "About").replace("2026", "2027"));
    save("content/pages/moment.yaml", "id: 21\ndate_created: yesterday\n");
    save("content/pages/alone.draft.en.yaml", "payload: {}\n");
    save("content/redirects.yaml", "- { from: nowhere, to: /x }\n");
    symlinkSync("/etc/hostname", join(dir, "content/pages/link.yaml"));
    const { code, out, err } = await cms(["check", "--root", dir]);
    expect(code).toBe(1);
    expect(err).toBe("7 problems.\n");
    const lines = out.trimEnd().split("\n");
    expect(lines.map((line) => line.split(":")[0])).toEqual([
      "content/pages/alone.draft.en.yaml",
      "content/pages/broken.yaml",
      "content/pages/copy.yaml",
      "content/pages/empty.yaml",
      "content/pages/link.yaml",
      "content/pages/moment.yaml",
      "content/redirects.yaml",
    ]);
    expect(lines[1]).toMatch(/^content\/pages\/broken\.yaml:\d+:\d+: error: ./);
    expect(lines[2]).toContain("content/pages/about.yaml");
    expect(lines[5]).toMatch(/^content\/pages\/moment\.yaml:2:\d+: error: date_created: /);
    const json = await cms(["check", "--root", dir, "--json"]);
    expect(json.code).toBe(1);
    expect(JSON.parse(json.out)).toHaveLength(7);
    expect(JSON.parse(json.out)[5]).toEqual({
      path: "content/pages/moment.yaml",
      line: 2,
      column: expect.any(Number),
      severity: "error",
      rule: "invalid-file",
      message: expect.any(String),
    });
  });

  it("tells the parents that pages have from the place of their files, if asked", async () => {
    const { dir, save } = site();
    save("content/pages/about/team.yaml", PAGE(30, "Team").replace("/team", "/about/team"));
    expect(await cms(["check", "--root", dir])).toEqual({
      code: 0,
      out: "",
      err: expect.stringMatching(/No problems\.\n$/),
    });
    expect((await cms(["check", "--root", dir, "--explain"])).err).toBe(
      'note: content/pages/about/team.yaml: parent_page: content/pages/about.yaml ("About"), which is beside the folder.\nNo problems.\n',
    );
  });

  it("mends with --fix what has one right answer, and commits nothing", async () => {
    const { dir, save, text, git } = site();
    save("content/contents/note.yaml", "# a note\nidentifier: note\n");
    const head = git("rev-parse", "HEAD");
    const fixed = await cms(["check", "--root", dir, "--fix"]);
    expect(fixed).toMatchObject({ code: 0, out: "" });
    expect(fixed.err).toMatch(
      /^(?:.* \.\.\.\n)*fixed: content\/contents\/note\.yaml: warning: There is no "id".*\nNo problems\.\n$/,
    );
    expect(text("content/contents/note.yaml")).toMatch(/^# a note\nid: \d+\nidentifier: note\n$/);
    expect(git("rev-parse", "HEAD")).toBe(head);
    expect((await cms(["check", "--root", dir])).err).toMatch(/No problems\.\n$/);
  });

  it("names an unmerged file as such", async () => {
    const { dir, save } = site();
    save("content/pages/about.yaml", `id: 2\n<<<<<<< HEAD\nordering: 1\n=======\nordering: 2\n>>>>>>> other\n`);
    const { code, out } = await cms(["check", "--root", dir]);
    expect(code).toBe(1);
    expect(out).toMatch(/^content\/pages\/about\.yaml:2:1: error: .*(merge|conflict)/);
  });

  it("warns of a page without an id, and ends with 0, or with 1 under --strict", async () => {
    const { dir, save } = site();
    save("content/pages/bare.yaml", "translations:\n  en:\n    title: Bare\n    permalink: /bare\n");
    const { code, out, err } = await cms(["check", "--root", dir]);
    expect([code, err]).toEqual([0, "1 warning.\n"]);
    expect(out).toMatch(
      /^content\/pages\/bare\.yaml: warning: There is no "id": .* Add "id: \d+" to keep it\. \[missing-id\]\n$/,
    );
    expect((await cms(["check", "--root", dir, "--strict"])).code).toBe(1);
    const json = await cms(["check", "--root", dir, "--json"]);
    expect(json.code).toBe(0);
    expect(JSON.parse(json.out)).toMatchObject([{ path: "content/pages/bare.yaml", severity: "warning" }]);
  });

  it("says how to keep the identity of a page whose file moves", async () => {
    const { dir, save, git, text } = site();
    const BARE = "translations:\n  en:\n    title: Bare\n    permalink: /bare\n";
    save("content/pages/bare.yaml", BARE);
    const advised = /Add "(id: \d+)"/.exec((await cms(["check", "--root", dir])).out)![1]!;
    save("content/pages/bare.yaml", `${advised}\n${BARE}`);
    git("add", "--all");
    git("mv", "content/pages/bare.yaml", "content/pages/moved.yaml");
    expect(text("content/pages/moved.yaml")).toContain(advised);
    expect(await cms(["check", "--root", dir])).toMatchObject({ code: 0, out: "" });
  });

  it("notes what it does not write, a line an attribute, and that commits are not signed", async () => {
    const { dir, save, git } = site();
    save(".gitattributes", "*.jpg filter=crypt\n*.mp4 filter=lfs\ncontent/pages/secret.yaml filter=crypt\n");
    save("media/film.mp4", "a film");
    for (const name of ["a", "b", "c", "d", "e"])
      save(`media/${name}.jpg`, "version https://git-lfs.github.com/spec/v1\n");
    git("config", "commit.gpgsign", "true");
    const { code, err } = await cms(["check", "--root", dir]);
    const notes = err.split("\n").filter((line) => line.startsWith("note: "));
    expect(notes).toEqual([
      "note: The git attribute filter=crypt applies to media/a.jpg, media/b.jpg, media/c.jpg and 2 more: served as in the working tree, and not written by the service.",
      expect.stringMatching(/^note: Files of this site are in Git LFS, which is not set up for this clone/),
      expect.stringMatching(/^note: commit\.gpgsign is set, but commits of the service are not signed/),
    ]);
    expect(code).toBe(1); // the pointers themselves are no pictures
    expect((await cms(["check", "--root", dir, "--quiet"])).err).toBe("");
  });

  it("names files whose names it cannot use, each on a line", async () => {
    const { dir, save } = site();
    save("content/pages/a\nb.yaml", "id: 20\n");
    save("media/a\tb.txt", "x");
    const { code, out } = await cms(["check", "--root", dir]);
    expect(out.trimEnd().split("\n")).toEqual([
      expect.stringMatching(/^"content\/pages\/a\\nb\.yaml": error: .*line break/),
      expect.stringMatching(/^"media\/a\\tb\.txt": error: .*tab/),
    ]);
    expect(code).toBe(1);
  });

  it("changes nothing", async () => {
    const { dir, git, save } = site();
    save("content/pages/broken.yaml", "[");
    const before = git("status", "--porcelain") + git("rev-parse", "HEAD");
    await cms(["check", "--root", dir]);
    expect(git("status", "--porcelain") + git("rev-parse", "HEAD")).toBe(before);
  });

  it("names a lock that somebody forgot, with its age, and leaves it", async () => {
    const { dir, save, text } = site();
    save(".git/index.lock", "");
    expect((await cms(["check", "--root", dir])).code).toBe(0);
    const hourAgo = Date.now() / 1000 - 3600;
    utimesSync(join(dir, ".git/index.lock"), hourAgo, hourAgo);
    const { code, out } = await cms(["check", "--root", dir]);
    expect(code).toBe(1);
    expect(out).toMatch(/^\.git\/index\.lock: error: It is 36\d\d s old .* remove it\. \[stale-lock\]\n$/);
    expect(text(".git/index.lock")).toBe("");
  });

  it("prints of many problems of one rule a few, and each with --every", async () => {
    const { dir, save } = site();
    const links = Array.from({ length: 12 }, (_, n) => `      l${n}: "[x](/nowhere-${n}/)"\n`).join("");
    save("content/pages/note.yaml", PAGE(13, "Note").replace(/  it:/, `    template_data:\n${links}$&`));
    const lines = (await cms(["check", "--root", dir])).out.trimEnd().split("\n");
    expect(lines).toHaveLength(6);
    expect(lines[5]).toBe("7 more of dead-link: --every prints them");
    const all = (await cms(["check", "--root", dir, "--every"])).out.trimEnd().split("\n");
    expect(all).toHaveLength(12);
    expect(all.every((line) => line.endsWith(" [dead-link]"))).toBe(true);
  });

  it("follows the levels of the settings and comments in files", async () => {
    const { dir, save } = site();
    save("cms.config.yaml", "CHECK: { RULES: { missing-id: error, dead-link: error, missing-reference: error } }\n");
    save("content/pages/bare.yaml", "translations:\n  en:\n    title: Bare\n    permalink: /bare\n");
    save("content/pages/below.yaml", `parent_page: /gone\n${PAGE(15, "Below")}`);
    const links = '      a: "[x](/nowhere/)"\n      # cms-ignore: dead-link\n      b: "[x](/nowhere-2/)"\n';
    save("content/pages/note.yaml", PAGE(13, "Note").replace(/  it:/, `    template_data:\n${links}$&`));
    save(
      "content/pages/other.yaml",
      `# cms-ignore: dead-link\n${PAGE(14, "Other").replace(/  it:/, `    template_data:\n${links}$&`)}`,
    );
    const { code, out } = await cms(["check", "--root", dir, "--json"]);
    const found = (JSON.parse(out) as { path: string; severity: string; rule: string }[]).map(
      ({ path, severity, rule }) => `${path} ${severity} ${rule}`,
    );
    expect([code, found]).toEqual([
      1,
      [
        "content/pages/bare.yaml error missing-id",
        "content/pages/below.yaml error missing-reference",
        "content/pages/note.yaml error dead-link",
      ],
    ]);
  });

  it("prints the report of GitLab and SARIF, and lists the rules", async () => {
    const { dir, save } = site();
    save("content/pages/moment.yaml", "id: 21\ndate_created: yesterday\n");
    const gitlab = JSON.parse((await cms(["check", "--root", dir, "--format", "gitlab"])).out) as unknown;
    expect(gitlab).toEqual([
      {
        description: expect.stringMatching(/^date_created: /),
        check_name: "invalid-file",
        fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        severity: "major",
        location: { path: "content/pages/moment.yaml", lines: { begin: 2 } },
      },
    ]);
    const sarif = JSON.parse((await cms(["check", "--root", dir, "--format", "sarif"])).out) as {
      version: string;
      runs: { tool: { driver: { rules: { id: string }[] } }; results: { ruleId: string }[] }[];
    };
    const [run] = sarif.runs;
    expect([sarif.version, run!.results.map(({ ruleId }) => ruleId)]).toEqual(["2.1.0", ["invalid-file"]]);
    const rules = (await cms(["check", "--rules"], { cwd: "/" })).out.trimEnd().split("\n");
    expect(rules.map((line) => line.split(" ")[0])).toEqual(run!.tool.driver.rules.map(({ id }) => id));
    const github = await cms(["check", "--root", dir, "--format", "github"]);
    expect(github.out).toMatch(
      /\n::error file=content\/pages\/moment\.yaml,line=2,col=\d+,title=invalid-file::date_created: /,
    );
  });
});

describe("cms check --render", () => {
  const template = "templates/defaults/pages/default.html";
  const FAILS = '<p>\n{% if page.title == "Note" %}{{ page.title.nothing() }}{% endif %}</p>';

  it("tells calls that fail when a page is rendered, once, with template, line and page", async () => {
    const { dir, save } = site();
    save("content/pages/note.yaml", PAGE(13, "Note"));
    save(template, FAILS);
    const { code, out } = await cms(["check", "--root", dir, "--render"]);
    expect([code, out]).toEqual([
      1,
      expect.stringMatching(/^templates\/defaults\/pages\/default\.html:2:\d+: error: /),
    ]);
    expect(out).toMatch(/There is no function `page.* It fails for \/note\/ \(en\)( and 1 more)?\. \[render\]\n$/);
    expect(out.split("\n")).toHaveLength(2);
  });

  it("renders by default where CI=true", async () => {
    const { dir, save } = site();
    save("content/pages/note.yaml", PAGE(13, "Note"));
    save(template, FAILS);
    const check = async (env: NodeJS.ProcessEnv, ...flags: string[]): Promise<number | null> =>
      (await cms(["check", "--root", dir, ...flags], { env })).code;
    expect(await check({ CI: "true" })).toBe(1);
    expect(await check({ CI: "true" }, "--no-render")).toBe(0);
    expect(await check({ CI: "" })).toBe(0);
  });

  it("tells what does not parse once", async () => {
    const { dir, save } = site();
    save(template, "a\n{% if page %}");
    const { out } = await cms(["check", "--root", dir, "--render"]);
    expect(out).toBe(
      `${template}:2:1: error: It cannot be parsed: \`{% if %}\` is not closed: \`{% endif %}\` is missing. [template]\n`,
    );
  });
});

it("cms check warns of addresses in templates that lead to no page or file, and of files that texts name", async () => {
  const { dir, save } = site();
  save("static/css/site.css", "");
  save(
    "content/pages/note.yaml",
    PAGE(13, "Note").replace(/  it:/, "    template_data: { body: '[a](/files/a.pdf) [c](/css/site.css)' }\n$&"),
  );
  save(
    "templates/defaults/pages/default.html",
    [
      '<link href="/css/site.css"><a href="/note">fine</a> <a href="{{ page.routerlink }}"><a href="/{{ page.id }}">',
      '{# <a href="/old"> #}<!-- <a href="/old"> --><a href="//example.org/x"><a href="#top"><a href="/sitemap.xml">',
      '<img src="/media/x.png"><a href="/abuot?a=1#b">',
      "<script src='/js/site.js'></script>",
    ].join("\n"),
  );
  const { code, out } = await cms(["check", "--root", dir]);
  const template = "templates/defaults/pages/default.html";
  expect(out.split("\n")).toEqual([
    expect.stringMatching(
      /^content\/pages\/note\.yaml:\d+:\d+: warning: .*\/files\/a\.pdf: There is no such file in static\/\. \[dead-link\]$/,
    ),
    `${template}:3:11: warning: /media/x.png: There is no such file in media/. [dead-link]`,
    `${template}:3:34: warning: /abuot: There is no page at this address. [dead-link]`,
    `${template}:4:14: warning: /js/site.js: There is no such file in static/. [dead-link]`,
    "",
  ]);
  expect(code).toBe(0);
});
