/** After random edits an incremental build and a full build have the same bytes. */
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Config } from "../../src/config.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { buildTree, emptyDir, filesIn, saveFile, TEMPLATES } from "./build-site.ts";

const LANGS = ["en", "it"] as const;
const PARTS = [undefined, "one", "{{ page.title }} {{ localized_url('/p0') }}", "{{ media(3).file }}"] as const;
const NODES = [
  [],
  [{ title: "P", link: { link_type: "RE", url_node: { id: 0 } } }],
  [{ title: "S", link: { link_type: "ST", static: "/x" } }],
] as const;

const MODELS = [
  "schema: []\n",
  "schema: []\ndefault_template: landing.html\n",
  "schema: []\ninject_context: added.mjs\n",
  "schema: [{ name: who, kind: ref, target_model: cms.Page }]\n",
] as const;

/** A site, and what tests remember of it. */
interface World extends MemorySite {
  readonly pages: number[];
  readonly articles: number[];
  readonly out: string;
  /** The settings as they are now. */
  config: Config;
}

const settled = (world: World): World => ({ ...world, cms: { ...world.cms, config: world.config } });

type Edit = (world: World, a: number, b: number) => Promise<unknown>;

const pick = <T>(list: readonly T[], n: number): T | undefined => list[n % Math.max(1, list.length)];

const EDITS: Readonly<Record<string, Edit>> = {
  async create({ api, pages }, a, b) {
    const parent = b % 3 === 0 ? pick(pages, a) : undefined;
    const { id } = await api("POST", "pages/", {
      title: `P${pages.length}`,
      title_it: `Q${pages.length}`,
      template: b % 2 ? "listing.html" : null,
      ...(parent && { parent_page: parent }),
      template_data: { to: `/p${a % 5}` },
    });
    pages.push(id);
    for (const lang of LANGS)
      if (b % 5 > 0 || lang === "en") await api("POST", `pages/${id}/publish/?language=${lang}`);
  },
  article: async ({ api, articles }, a) => {
    const { id } = await api("POST", "articles/", { title: `A${a}` });
    articles.push(id);
    await api("POST", `articles/${id}/publish/`);
  },
  rename: ({ api, pages }, a, b) =>
    api("PATCH", `pages/${pick(pages, a)}/?language=${LANGS[b % 2]}`, { title: `Renamed ${b}` }),
  move: ({ api, pages }, a, b) =>
    api("PATCH", `pages/${pick(pages, a)}/`, { parent_page: pick(pages, b), ordering: b }),
  data: ({ api, pages }, a, b) =>
    api("PATCH", `pages/${pick(pages, a)}/`, { template_data: { body: `**${b}**`, to: `/p${b % 5}` } }),
  hide: ({ api, pages }, a, b) =>
    api("PATCH", `pages/${pick(pages, a)}/?language=${LANGS[b % 2]}`, { published_at: null }),
  plan: ({ api, pages, clock }, a) =>
    api("PATCH", `pages/${pick(pages, a)}/`, {
      published_at: new Date(Date.parse(clock.now()) + 3_600_000).toISOString(),
    }),
  trash: ({ api, pages }, a) => api("POST", `pages/${pick(pages, a)}/trash/`),
  restore: ({ api, pages }, a) => api("POST", `pages/${pick(pages, a)}/restore/`),
  draft: ({ api, pages }, a, b) => api("PATCH", `pages/${pick(pages, a)}/draft/`, { title: `Draft ${b}` }),
  publish: ({ api, pages }, a, b) => api("POST", `pages/${pick(pages, a)}/publish/?language=${LANGS[b % 2]}`),
  async remove({ api, pages }, a) {
    await api("DELETE", `pages/${pick(pages, a)}/`);
  },
  menu: ({ api, pages }, a, b) =>
    api("PATCH", "menus/main/", {
      nodes: JSON.parse(JSON.stringify(NODES[b % 3]).replace('"id":0', `"id":${pick(pages, a) ?? 1}`)),
    }),
  block: ({ repo, cms, pages }, a, b) =>
    byHand(cms, () =>
      repo.write(
        "content/contents/b.yaml",
        `id: 900\nidentifier: ${b % 2 ? "note" : "hero"}\n${b % 2 ? "" : `page: ${pick(pages, a) ?? 1}\n`}translations:\n  en: { content: "${b}" }\n`,
      ),
    ),
  tag: ({ repo, cms }, _a, b) => byHand(cms, () => repo.write("content/tags/t.yaml", `id: 901\nname: { en: T${b} }\n`)),
  person: ({ repo, cms }, _a, b) =>
    byHand(cms, () =>
      repo.write("content/meta-instances/person/p.yaml", `id: 903\nmeta_type: 902\ndata: { name: N${b} }\n`),
    ),
  redirect: ({ repo, cms }, a, b) =>
    byHand(cms, () => repo.write("content/redirects.yaml", `- { from: /p${a % 4}, to: /p${b % 4} }\n`)),
  broken: ({ repo, cms }, a) =>
    byHand(cms, () =>
      repo.write(
        "content/pages/hand.yaml",
        a % 2 ? "id: 904\ntranslations: { en: { title: Hand, published_at: 2026-01-01T00:00:00Z } }\n" : "id: [\n",
      ),
    ),
  rival: ({ repo, cms }, a, b) =>
    byHand(cms, () =>
      repo.write(
        `content/pages/rival${a % 2}.yaml`,
        `id: ${970 + (a % 2)}\ndate_created: 20${b % 2 ? 25 : 27}-01-01T00:00:00Z\ntranslations: { ${LANGS[b % 2]}: { title: R${b}, permalink: ${["/p0", "/q1", "/p2", "/x"][b % 4]}, published_at: 2026-01-01T00:00:00Z } }\n`,
      ),
    ),
  landing: ({ repo, cms, pages }, a, b) =>
    byHand(cms, () =>
      repo.write(
        "content/pages/landing.yaml",
        `id: 980\nmodel: Landing\n${b % 2 ? "template: landing.html\n" : ""}translations: { en: { title: L${a}, published_at: 2026-01-01T00:00:00Z, template_data: { who: ${pick(pages, a) ?? 1} } } }\n`,
      ),
    ),
  model: ({ repo, cms }, _a, b) =>
    byHand(cms, () => repo.write("content/page-models/Landing.yaml", MODELS[b % MODELS.length]!)),
  async address(world) {
    world.config = { ...world.config, BASE_URL: world.config.BASE_URL === null ? "http://test.local" : null };
  },
  async slash(world) {
    world.config = { ...world.config, APPEND_SLASH: !world.config.APPEND_SLASH };
  },
  async library(world) {
    world.config = {
      ...world.config,
      MEDIA: { ...world.config.MEDIA, URL: world.config.MEDIA.URL === "/media/" ? "/p1/" : "/media/" },
    };
  },
  async spoil({ out }, a, b) {
    const path = pick([...filesIn(out).keys()], a);
    if (path === undefined) return;
    if (b % 2) rmSync(join(out, path));
    else appendFileSync(join(out, path), "!");
  },
  async kill(world, a) {
    let left = a % 5;
    const progress = (): void => {
      if (left-- === 0) throw new Error("killed");
    };
    await buildTree(settled(world), world.out, { progress });
  },
  async full(world) {
    await buildTree(settled(world), world.out, { full: true });
  },
  async part({ cms }, _a, b) {
    const text = PARTS[b % PARTS.length];
    if (text === undefined) rmSync(join(cms.root, "templates/part.html"), { force: true });
    else saveFile(cms.root, "templates/part.html", text);
  },
  async media({ cms }, a, b) {
    saveFile(cms.root, `media/f${a % 3}.txt`, `${b}`);
  },
  async wait({ clock }, a) {
    clock.tick(a * 1_000_000);
  },
};

async function byHand({ store }: World["cms"], edit: () => void): Promise<void> {
  edit();
  await store.refresh();
}

const edit = fc.record({
  name: fc.constantFrom(...Object.keys(EDITS)),
  a: fc.nat(50),
  b: fc.nat(50),
  builds: fc.boolean(),
});

it("incremental equals full", { timeout: 240_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(edit, { minLength: 3, maxLength: 14 }), async (edits) => {
      const made = await memorySite({
        "content/pages/.gitkeep": "",
        "content/menus/main.yaml": "id: 5\nkey: main\n",
        "content/meta-types/person.yaml":
          "id: 902\nkey: person\nname: Person\nschema: [{ name: name, kind: string }]\n",
      });
      for (const [path, text] of Object.entries(TEMPLATES)) saveFile(made.cms.root, path, text);
      saveFile(
        made.cms.root,
        "templates/landing.html",
        "{{ page.title }} {{ extra }} {{ page.template_data.who | dump }}",
      );
      saveFile(made.cms.root, "added.mjs", "export default () => ({ extra: 'EXTRA' });\n");
      const out = emptyDir();
      const world: World = { ...made, pages: [], articles: [], out, config: made.cms.config };
      for (let n = 0; n < 3; n++) await EDITS.create!(world, n, n);
      await buildTree(settled(world), out);
      for (const { name, a, b, builds } of edits) {
        // An edit the service refuses is none, and a build that is killed is no end.
        await EDITS[name]!(world, a, b).catch((error: Error) =>
          expect(error.message).toMatch(/ answered 4\d\d:|^killed$/),
        );
        if (builds) await buildTree(settled(world), out);
      }
      await buildTree(settled(world), out);
      const whole = emptyDir();
      await buildTree(settled(world), whole, { full: true });
      expect(filesIn(out)).toEqual(filesIn(whole));
    }),
    { numRuns: 50 },
  );
});
