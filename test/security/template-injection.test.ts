/** Template injection: content is never compiled, and templates that show it reach no code. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memorySite } from "../site.ts";
import { siteWithTemplates } from "./example.ts";

const PAYLOADS = [
  "{{ 7 * 7 }}",
  "{% include 'defaults/base.html' %}",
  "{{ range.constructor('return process')() }}",
  "{# x #}",
  "${7*7}",
  "<%= 7*7 %>",
];

describe("a template in content", () => {
  it.each(PAYLOADS)("%s is shown unchanged", async (payload) => {
    const site = await siteWithTemplates();
    await site.page(
      {
        title: `t ${payload}`,
        description: payload,
        autopermalink: false,
        permalink: "/t",
        template_data: { lead: payload, body: payload, sections: [{ title: payload, text: payload }] },
      },
      ["en"],
    );
    const { status, text } = await site.ask("GET", "/t/");
    expect([status, text.includes("49")]).toEqual([200, false]);
    const shown = payload.replace(
      /[&<>"']/g,
      (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]!,
    );
    expect(text).toContain(shown);
  });
});

/** A template of the site that shows content. */
async function rendered(source: string, data: object = {}): Promise<string> {
  const site = await memorySite();
  mkdirSync(join(site.repo.root, "templates"), { recursive: true });
  writeFileSync(join(site.repo.root, "templates/t.html"), source);
  await site.page({ title: "T", template: "t.html", template_data: data }, ["en"]);
  const { status, text } = await site.ask("GET", "/t/");
  return status === 200 ? text : `${status} ${text}`;
}

describe("an expression", () => {
  it.each([
    "page.constructor",
    "page['constructor']",
    "page.title.constructor",
    "''.constructor",
    "[].constructor",
    "range.constructor",
    "page.__proto__",
    "page['__proto__']",
    "page.title.__proto__",
    "localized_url.constructor",
    "localized_url.prototype",
    "cycler.prototype",
    "page[page.template_data.key]",
    "page[['constructor']]",
    "page.title[['__proto__']]",
    "page.__lookupGetter__",
    "page.__defineGetter__",
    "request.constructor",
    "settings.__proto__",
    "menus.constructor",
    "lang.constructor",
    "(page | first).constructor",
  ])("%s reaches nothing", async (expression) => {
    expect(await rendered(`[{{ ${expression} }}]`, { key: "constructor" })).toBe("[]");
  });

  it.each(["'x', 'constructor'", "'x', 'constructor', 'constructor'", "'constructor', 'x'"])(
    "with a name that is %s by turns leads nowhere",
    async (names) => {
      expect(
        await rendered(
          `{% set turns = cycler(${names}) %}{% set name = { toString: turns.next } %}[{{ range[name]("return process.version")() if range[name] }}{{ range[name] }}]`,
        ),
      ).toMatch(/^\[\]$|^500 /);
      expect(
        await rendered(
          `{% set turns = cycler(${names}) %}{% set name = { toString: turns.next } %}[{{ range[name] }}]`,
        ),
      ).toBe("[]");
    },
  );

  it.each([
    "page.constructor.constructor('return process.env')()",
    "range.constructor('return 1')()",
    "''.constructor.constructor('x')()",
  ])("%s fails without details", async (expression) => {
    expect(await rendered(`[{{ ${expression} }}]`)).toBe('500 {"detail":"Internal server error."}');
  });

  it.each(["process", "require", "global", "globalThis", "module", "import", "this.process", "env"])(
    "%s is nothing",
    async (name) => {
      expect(await rendered(`[{{ ${name === "import" ? "'' " : name} }}]`)).toBe("[]");
    },
  );

  it("sees public settings only", async () => {
    const text = await rendered("{{ settings | dump | safe }}");
    for (const name of ["TRUSTED_PROXIES", "ALLOWED_HOSTS", "TRUSTED_ORIGINS", "MAX_BODY", "INJECT_CONTEXT"])
      expect(text).not.toContain(name);
  });
});

describe("what is printed", () => {
  it.each([
    ["{{ page.template_data.x }}", "&lt;b&gt;"],
    ["{{ page.template_data.x | upper }}", "&lt;B&gt;"],
    ["{{ page.template_data.list | join(' ') }}", "&lt;b&gt;"],
    ["{{ page.template_data.x | replace('b', 'i') }}", "&lt;i&gt;"],
    ["{{ page.template_data.x | markdown }}", "<b></b>"], // HTML in Markdown is made safe
    ["{{ page.template_data.object | dump }}", "{&quot;val&quot;:&quot;&lt;b&gt;&quot;,&quot;length&quot;:3}"], // looks like a safe string, but is not
    ["{{ page.template_data.object }}", "[object Object]"],
  ])("%s is escaped", async (source, text) => {
    expect(await rendered(source, { x: "<b>", list: ["<b>"], object: { val: "<b>", length: 3 } })).toBe(text);
  });
});

describe("a template that fails", () => {
  it.each(["{{ nothing.at.all() }}", "{% include 'missing.html' %}", "{% if %}", "{{ page.title | nofilter }}"])(
    "%s says why in the log, not in the answer",
    async (source) => {
      const site = await memorySite();
      mkdirSync(join(site.repo.root, "templates"), { recursive: true });
      writeFileSync(join(site.repo.root, "templates/t.html"), source);
      await site.page({ title: "T", template: "t.html" }, ["en"]);
      const { status, text } = await site.ask("GET", "/t/?secret=1");
      expect([status, text]).toEqual([500, '{"detail":"Internal server error."}']);
      expect(site.logged.join()).toContain("t.html");
    },
  );
});
