/** Pages that ask the clock: they are right at any time in serve, router and build, with nothing edited. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memorySite, writeTemplate, type MemorySite } from "../site.ts";
import { buildTree, emptyDir, filesIn } from "./build-site.ts";

const TEMPLATES: Readonly<Record<string, string>> = {
  "defaults/pages/default.html": "{{ page.title }} {{ today() }}",
  "event.html": "{{ 'past' if is_past('2026-12-05T20:00') else 'coming' }} {{ '2026-12-05' | date('yMMMMd') }}",
  "plain.html": "{{ page.title }}",
};

async function clockSite(): Promise<MemorySite> {
  const made = await memorySite({}, { TIME_ZONE: "Europe/Rome" });
  made.clock.set("2026-11-30T10:00:00Z");
  for (const [name, text] of Object.entries(TEMPLATES)) writeTemplate(made, name, text);
  for (const [title, template] of [["Day"], ["Event", "event.html"], ["Plain", "plain.html"]])
    await made.page({ title, ...(template && { template }) }, ["en"]);
  return made;
}

const html = (out: string, page: string): string => readFileSync(join(out, page, "index.html"), "utf8");

it("renders what has changed since the last build, and tells when the next change is", async () => {
  const site = await clockSite();
  const out = emptyDir();
  expect(await buildTree(site, out)).toMatchObject({
    rendered: 3,
    next_change: { at: "2026-12-01T00:00+01:00", pages: 1 },
  });
  expect(html(out, "day")).toBe("Day 2026-11-30");
  expect(html(out, "event")).toBe("coming December 5, 2026");
  site.clock.set("2026-11-30T22:59:59Z");
  expect(await buildTree(site, out)).toMatchObject({ rendered: 0, kept: 3 });
  for (const [now, rendered, day, event, next] of [
    ["2026-11-30T23:00:00Z", 1, "2026-12-01", "coming", { at: "2026-12-02T00:00+01:00", pages: 1 }],
    ["2026-12-05T18:59:00Z", 1, "2026-12-05", "coming", { at: "2026-12-05T20:00+01:00", pages: 1 }],
    ["2026-12-05T19:00:00Z", 1, "2026-12-05", "past", { at: "2026-12-06T00:00+01:00", pages: 1 }],
  ] as const) {
    site.clock.set(now);
    expect(await buildTree(site, out)).toMatchObject({ rendered, kept: 3 - rendered, next_change: next });
    expect(html(out, "day")).toBe(`Day ${day}`);
    expect(html(out, "event")).toContain(event);
    expect((await site.ask("GET", "/day/")).text).toBe(`Day ${day}`);
    expect((await site.ask("GET", "/event/")).text).toContain(event);
    const full = emptyDir();
    await buildTree(site, full);
    expect(filesIn(out)).toEqual(filesIn(full));
  }
});

it("counts pages that are published by schedule", async () => {
  const site = await clockSite();
  const { id } = await site.page({ title: "Planned", template: "plain.html" });
  await site.api("PATCH", `pages/${id}/`, { published_at: "2026-11-30T12:00:00Z" });
  expect(await buildTree(site, emptyDir())).toMatchObject({
    next_change: { at: "2026-11-30T13:00+01:00", pages: 1 },
  });
  site.clock.set("2026-11-30T12:00:00Z");
  expect(await buildTree(site, emptyDir())).toMatchObject({ pages: 4, next_change: { at: "2026-12-01T00:00+01:00" } });
});

it("changes nothing by itself where no page asks", async () => {
  const site = await memorySite();
  writeTemplate(site, "defaults/pages/default.html");
  await site.page({ title: "A" }, ["en"]);
  expect(await buildTree(site, emptyDir())).toMatchObject({ next_change: null });
});

it.each([
  // template, in English, in Italian
  ["{{ '2026-12-05' | date }}", "December 5, 2026", "5 dicembre 2026"],
  ["{{ '2026-12-05T20:30' | date('short', 'short') | replace('\u202f', ' ') }}", "12/5/26, 8:30 PM", "05/12/26, 20:30"],
  ["{{ '2026-12-05T23:30:00Z' | date('EEEEdMMMM') }}", "Sunday, December 6", "domenica 6 dicembre"],
  ["{{ '' | date }}{{ null | relative }}{{ is_past(null) }}", "false", "false"],
  ["{{ '2026-12-01' | relative }}", "tomorrow", "domani"],
  ["{{ '2026-11-30T12:00:00Z' | relative }}", "in 2 hours", "tra 2 ore"],
  ["{{ '2026-11-01' | relative }}", "4 weeks ago", "4 settimane fa"],
  ["{{ now() }}", "2026-11-30T10:00:00.000Z", "2026-11-30T10:00:00.000Z"],
])("%s", async (template, en, it) => {
  const site = await memorySite(
    {},
    {
      TIME_ZONE: "Europe/Rome",
      LANGUAGES: [
        { id: "en", name: "E" },
        { id: "it", name: "I" },
      ],
    },
  );
  site.clock.set("2026-11-30T10:00:20Z");
  writeTemplate(site, "defaults/pages/default.html", template);
  await site.page({ title: "A", title_it: "A" }, ["en", "it"]);
  expect((await site.ask("GET", "/a/")).text).toBe(en);
  expect((await site.ask("GET", "/it/a/")).text).toBe(it);
});

it.each([
  ["{{ 'soon' | date }}", /date: "soon" is neither a date as 2026-12-01 nor a moment/],
  ["{{ '2026-12-01' | date('loong') }}", /date: "loong" is no style \(short, medium, long, full\) and no skeleton/],
  ["{{ is_past(page) }}", /is_past: a value of type object is neither/],
])("%s is refused", async (template, message) => {
  const site = await memorySite();
  writeTemplate(site, "defaults/pages/default.html", template);
  await site.page({ title: "A" }, ["en"]);
  const { failures } = await buildTree(site, emptyDir());
  expect(failures).toMatchObject([{ line: 1, message: expect.stringMatching(message) }]);
});
