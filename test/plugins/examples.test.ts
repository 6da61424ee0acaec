/** The three plugins of docs/plugins.md. */
import { readFileSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commitLog } from "../../docs/examples/plugins/commit-log.ts";
import openingHours from "../../docs/examples/plugins/opening-hours.ts";
import readingTime from "../../docs/examples/plugins/reading-time.ts";
import { memorySite } from "../site.ts";

const BY = { name: "Anna", email: "anna@example.org" };

it.each(["opening-hours", "commit-log", "reading-time"])("documents exactly the plugin %s", (name) => {
  const read = (path: string): string => readFileSync(new URL(`../../docs/${path}`, import.meta.url), "utf8");
  const source = read(`examples/plugins/${name}.ts`).replace("../../../src/index.ts", "git-cms");
  expect(read("plugins.md")).toContain(`\`\`\`ts\n${source}\`\`\``);
});

it("stores opening hours a day each, from text", async () => {
  const { cms, repo } = await memorySite({}, { plugins: [openingHours] });
  const schema = [{ name: "hours", kind: "opening_hours" as never }];
  const type = await cms.metaTypes.create({ key: "shop", name: "Shop", schema }, { by: BY });
  expect(cms.metaTypes.schema(type.id)).toMatchObject({ properties: { hours: { anyOf: [{ type: "array" }, {}] } } });
  const create = (hours: string) => cms.metaInstances.create({ meta_type: type.id, data: { hours } }, { by: BY });

  const shop = await create("Sa-Su 10:00-12:00");
  const hours = [
    { day: "Sa", opens: "10:00", closes: "12:00" },
    { day: "Su", opens: "10:00", closes: "12:00" },
  ];
  expect(shop.data).toEqual({ hours });
  expect(await cms.metaInstances.update(shop.id, { data: { hours } }, { by: BY })).toMatchObject({ data: { hours } });
  await expect(create("whenever")).rejects.toMatchObject({
    code: "invalid",
    fields: { data: { hours: ['Enter opening hours such as "Mo-Fr 09:00-17:30; Sa 10:00-12:00".'] } },
  });
  // The type is read from its file again, with its kind.
  expect(repo.text("content/meta-types/shop.yaml")).toContain("kind: opening_hours");
  await cms.store.refresh();
  await expect(create("25:00")).rejects.toMatchObject({ code: "invalid" });
});

it("writes a line for each commit", async () => {
  const folder = await mkdtemp(join(tmpdir(), "cms-plugin-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "commits.log");
  const { cms } = await memorySite({}, { plugins: [commitLog(file)] });
  const { id } = await cms.pages.create({ title: "About" }, { by: BY });
  await cms.pages.publish(id, { by: BY });
  await cms.close(); // waits for the listeners
  expect((await readFile(file, "utf8")).split("\n").map((line) => line.slice(11))).toEqual([
    'Anna: Create "About"',
    'Anna: Publish "About" (en)',
    "",
  ]);
});

it("has the reading time in payloads, templates and the manifest's hash", async () => {
  const site = await memorySite({}, { plugins: [readingTime] });
  const { cms } = site;
  const values = { title: "Storm", content: "wind ".repeat(230) };
  const article = await cms.articles.create(values, { by: BY });
  expect(article).toMatchObject({ reading_time: 2 });
  await cms.articles.publish(article.id, { by: BY });
  expect((await site.ask("GET", "api:pages-router/storm/")).body).toMatchObject({ reading_time: 2 });
  // A payload can be written back: the key is read-only.
  const back = await site.ask("PATCH", `api:articles/${article.id}/`, { as: "superuser", body: { reading_time: 9 } });
  expect(back.body).toMatchObject({ reading_time: 2 });
});
