/** Moments keep in the files the zone in which the old site writes them. */
import { expect, it } from "vitest";
import { SERVICE } from "../../src/actions/context.ts";
import { importSite } from "../../src/import/import-site.ts";
import { offsetsOfItem } from "../../src/import/wordpress/publication.ts";
import { openTimeZone } from "../../src/model/time/time-zone.ts";
import type { Instant } from "../../src/model/time/instant.ts";
import { memorySite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";
import { expectUnchanged, importFolder, type Imported } from "./markdown/old-site.ts";

const momentsIn = (site: Pick<Imported, "repo">, path: string): Record<string, string> =>
  Object.fromEntries(
    [...site.repo.text(path)!.matchAll(/^ *(date_created|date_updated_at|published_at): (.*)$/gm)].map(
      ([, name, value]) => [name!, value!],
    ),
  );

it("of Jekyll: as written, else in the zone of the site", async () => {
  const site = await importFolder("jekyll", {
    "_config.yml": "timezone: America/New_York\n",
    "_posts/2024-01-05-first.md":
      "---\ntitle: First\ndate: 2024-01-05 23:30:00 +0530\nupdated: 2024-07-06 12:00\n---\nA\n",
    "_posts/2024-07-05-second.md": "---\ntitle: Second\n---\nB\n",
  });
  expect(momentsIn(site, "content/articles/first.yaml")).toEqual({
    date_created: "2024-01-05T23:30:00+05:30",
    date_updated_at: "2024-07-06T12:00:00-04:00",
    published_at: "2024-01-05T23:30:00+05:30",
  });
  expect(momentsIn(site, "content/articles/second.yaml")).toMatchObject({
    published_at: "2024-07-05T00:00:00-04:00",
  });
  await expectSameAfterRestart(site);
  await expectUnchanged(site);
  const [{ id }] = (await site.api("GET", "articles/")) as [{ id: number }];
  await site.api("PATCH", `articles/${id}/`, { description: "Later" });
  for (const name of ["first", "second"])
    expect(momentsIn(site, `content/articles/${name}.yaml`).published_at).toMatch(/[+-]0[45]:[03]0$/);
});

it("of Hugo, in each language, and in UTC where it is", async () => {
  const site = await importFolder("hugo", {
    "hugo.toml": 'defaultContentLanguage = "en"\n[languages.en]\n[languages.it]\n',
    "content/posts/a.md": "---\ntitle: A\ndate: 2024-06-30T23:30:00+01:00\n---\nA\n",
    "content/posts/a.it.md": "---\ntitle: A it\ndate: 2024-06-30T23:30:00+02:00\n---\nA\n",
    "content/posts/b.md": "---\ntitle: B\ndate: 2024-06-30T23:30:00Z\n---\nB\n",
  });
  const text = site.repo.text("content/articles/a.yaml")!;
  expect([...text.matchAll(/published_at: (.*)/g)].map(([, value]) => value)).toEqual([
    "2024-06-30T23:30:00+01:00",
    "2024-06-30T23:30:00+02:00",
  ]);
  expect(momentsIn(site, "content/articles/b.yaml").published_at).toBe("2024-06-30T23:30:00.000Z");
  await expectSameAfterRestart(site);
});

it("of WordPress: that of the two forms of each moment", () => {
  const none = "0000-00-00 00:00:00";
  const of = (dateGmt: string, date: string, zone?: string) =>
    offsetsOfItem(
      { date, dateGmt, modified: none, modifiedGmt: none } as Parameters<typeof offsetsOfItem>[0],
      zone === undefined ? undefined : openTimeZone(zone),
    );
  expect(of("2024-07-01 08:30:00", "2024-07-01 10:30:00")).toEqual({ "2024-07-01T08:30:00.000Z": 120 });
  expect(of(none, "2024-01-01 10:30:00", "Europe/Rome")).toEqual({ "2024-01-01T09:30:00.000Z": 60 });
  expect(of(none, none)).toEqual({});
});

it("are in UTC where an offset cannot be, and texts that look like moments stay", async () => {
  const site = await memorySite();
  const at = "2024-07-01T08:30:00.000Z" as Instant;
  const later = "2024-07-02T08:30:00.000Z" as Instant;
  const entry = {
    source: "a",
    place: { file: "a" },
    model: "page",
    created: at,
    updated: later,
    offsets: { [at]: 9_999, [later]: 345 },
    texts: { en: { fields: { title: "A" }, published: later, data: { published_at: later } } },
  };
  await importSite(site.cms, SERVICE, { entries: [entry], remarks: [] }, { name: "old" });
  expect(momentsIn(site, "content/pages/a.yaml")).toMatchObject({
    date_created: at,
    date_updated_at: "2024-07-02T14:15:00+05:45",
  });
  const [page] = await site.api("GET", "pages/");
  expect(page).toMatchObject({ published_at: "2024-07-02T08:30:00Z", template_data: { published_at: later } });
});
