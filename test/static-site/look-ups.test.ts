/** What templates look up by a path or a key follows the content, in serve and in incremental builds. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memorySite, writeTemplate } from "../site.ts";
import { buildTree, emptyDir } from "./build-site.ts";

const TEMPLATE =
  '{{ page_at("/about").title or "none" }}|{% for each in instances("room", sort="-beds") %}{{ each.data.name }} {% endfor %}|' +
  '{% for each in instances("room", sort="name") %}{{ each.data.name }} {% endfor %}|{{ instance("room", "attic").data.beds }}';

it("renders a page again when what it looked up has changed", async () => {
  const room = (data: string): string => `data: { ${data} }\n`;
  const site = await memorySite({
    "content/meta-types/room.yaml":
      "name: Room\nschema: [{ name: name, kind: string }, { name: beds, kind: integer }]\n",
    "content/meta-instances/room/cellar.yaml": room("name: Cellar"),
    "content/meta-instances/room/attic.yaml": `identifier: attic\n${room("name: attic, beds: 2")}`,
    "content/meta-instances/room/hall.yaml": room("name: Hall, beds: 10"),
  });
  writeTemplate(site, "defaults/pages/default.html");
  writeTemplate(site, "looks.html", TEMPLATE);
  await site.page({ title: "Home", template: "looks.html" }, ["en"]);
  const out = emptyDir();
  const shown = async (): Promise<string> => {
    await buildTree(site, out);
    const built = readFileSync(join(out, "home/index.html"), "utf8");
    expect((await site.ask("GET", "/home/")).text).toBe(built);
    return built;
  };
  const rooms = "|Hall attic Cellar |attic Cellar Hall |2";
  expect(await shown()).toBe(`none${rooms}`);
  const { id } = await site.page({ title: "About" });
  expect(await shown()).toBe(`none${rooms}`);
  await site.api("POST", `pages/${id}/publish/`);
  expect(await shown()).toBe(`About${rooms}`);
  await site.api("PATCH", `pages/${id}/`, { title: "About us" });
  expect(await shown()).toBe(`About us${rooms}`);
  await site.api("POST", `pages/${id}/trash/`);
  expect(await shown()).toBe(`none${rooms}`);
});
