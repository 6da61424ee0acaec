/** Directives of Markdown and components of MDX that become blocks, where the site has types of their names. */
import { describe, expect, it } from "vitest";
import { sectionsOf } from "../../../src/import/markdown/sections.ts";
import type { ImportedSection } from "../../../src/import/imported-site.ts";
import { expectUnchanged, importFolder, PICTURE, type OldFiles } from "./old-site.ts";

const TYPES = {
  "content/page-models/landing.yaml": "schema: [{ name: sections, kind: blocks }]\n",
  "content/block-types/text.yaml": "schema: [{ name: body, kind: text }]\n",
  "content/block-types/note.yaml": "schema: [{ name: title }, { name: look }, { name: body, kind: text }]\n",
  "content/block-types/two-columns.yaml": "schema: [{ name: content, kind: blocks }]\n",
  "content/block-types/picture.yaml":
    "schema:\n  - { name: image, kind: media }\n  - { name: width, kind: integer }\n  - { name: is_round, kind: boolean }\n  - { name: to, kind: permalink }\n",
};
const ASTRO = { "astro.config.mjs": "export default {};\n", "src/pages/team.md": "---\ntitle: Team\n---\nUs\n" };

const sectionsIn = async (files: OldFiles, path: string, types = TYPES) => {
  const site = await importFolder("astro", { ...ASTRO, ...files }, false, types);
  const { id } = await site.page(path);
  const { template_data: data } = await site.api("GET", `pages/${id}/`);
  return { site, data, told: site.remarks.filter((each) => !each.includes("template: only")) };
};

describe("a page of Markdown", () => {
  it("has blocks for its directives, and text between, but not in code", async () => {
    const body = `One *word*.

:::note[Mind this]{look="warm"}
It **closes** at noon, see [us](/team/).
:::

::picture{image="./a.png" width=300 to="https://elsewhere.example/"}

\`\`\`md
:::note
:::
\`\`\`
`;
    const { site, data, told } = await sectionsIn(
      { "src/pages/about.md": `---\ntitle: About\n---\n${body}`, "src/pages/a.png": PICTURE },
      "/about/",
    );
    expect(told).toEqual([]);
    expect(data.sections).toMatchObject([
      { type: "text", body: "One *word*." },
      { type: "note", title: "Mind this", look: "warm", body: "It **closes** at noon, see [us](/team/)." },
      { type: "picture", image: { id: expect.any(Number) }, width: 300, to: { static: "https://elsewhere.example/" } },
      { type: "text", body: "```md\n:::note\n:::\n```" },
    ]);
    await expectUnchanged(site);
  });

  it("in MDX has blocks for its components, in each other too, without the lines that import them", async () => {
    const body = `import Note from "../Note.astro";
import { TwoColumns, Picture } from "../all";

<TwoColumns>
  <Note look='cold'>Brr</Note>
  <Picture
    image="./a.png"
    width={20}
    is_round
  />
</TwoColumns>
`;
    const files: OldFiles = {
      "src/pages/about.mdx": `---\ntitle: About\n---\n${body}`,
      "src/pages/a.png": PICTURE,
    };
    const { data, told } = await sectionsIn(files, "/about/");
    expect(told).toEqual([]);
    expect(data.sections).toMatchObject([
      {
        type: "two-columns",
        content: [
          { type: "note", look: "cold", body: "Brr" },
          { type: "picture", width: 20, is_round: true },
        ],
      },
    ]);
  });

  it.each([
    [':::note{colour="red"}\nx\n:::', 'no field for "colour"'],
    ["<Note look={theme} />", "look={theme}"],
    ["<Note {...rest} />", "{...rest}"],
    ['<Picture image="https://elsewhere.example/a.png" width="wide" />', "width"],
  ])("stays in one piece for %j, and is told why", async (block, reason) => {
    const { data, told } = await sectionsIn(
      { "src/pages/about.mdx": `---\ntitle: About\n---\nOne\n\n${block}\n` },
      "/about/",
    );
    expect(told).toContainEqual(expect.stringMatching(/^src\/pages\/about\.mdx:[16]: Its text stays in one piece/));
    expect(told.join()).toContain(reason);
    expect(data).toEqual({ body: `One\n\n${block}` });
  });

  it("is as it was where the site has no such types", async () => {
    const { data, told } = await sectionsIn(
      { "src/pages/about.mdx": "---\ntitle: About\n---\n<Chart />\n" },
      "/about/",
    );
    expect(data).toEqual({ body: "<Chart />" });
    expect(told).toEqual(["src/pages/about.mdx:4: Code of a template is kept as text: <Chart"]);
  });
});

describe("sectionsOf", () => {
  const shown = (text: string) =>
    (sectionsOf(text, { isMdx: true, firstLine: 1, value: (plain) => ({ plain }) }) ?? []).map(
      ({ type, line, words }: ImportedSection) => [type ?? "", line, words.text],
    );

  it.each<[string, unknown[]]>([
    ["a\n:::x\nb", []],
    [":::a\n::::b\n:::\n::::\n:::", [["a", 1, ":::a\n::::b\n:::\n::::\n:::"]]],
    [
      ":::note Title\nx\n:::\ny",
      [
        ["note", 1, ":::note Title\nx\n:::"],
        ["", 4, "y"],
      ],
    ],
    ["<A>\n<A>\n</A>\n</A>", [["a", 1, "<A>\n<A>\n</A>\n</A>"]]],
    ["<A\n  b={1 > 0}\n  c='>'\n/>", [["a", 1, "<A\n  b={1 > 0}\n  c='>'\n/>"]]],
    ["<A>\n</B>", []],
    ["Some <A /> inline", []],
    ["<A /> and more", []],
  ])("%j", (text, expected) => expect(shown(text)).toEqual(expected));

  it.each([":::a\n", "<A>\n", "<A\n", "<A b={\n", ":::a\n:::\n", "::a{b=1}\n"])(
    "takes linear time for many of %j",
    (piece) => {
      expect(shown(piece.repeat(20_000)).length).toBeGreaterThanOrEqual(0);
    },
  );
});

describe("directives of any text", () => {
  const reading = { isMdx: false, firstLine: 1, value: (plain: string) => ({ plain }) };

  it("are text below fifty levels", () => {
    const depth = (sections: readonly ImportedSection[] | undefined): number => {
      const content = sections?.[0]?.forms[0]?.content;
      return content && "sections" in content ? 1 + depth(content.sections) : 0;
    };
    const text = ":::note\n".repeat(20_000) + ":::\n".repeat(20_000);
    expect(depth(sectionsOf(text, reading))).toBe(50);
  });

  it("may have attributes of any name", () => {
    const [section] = sectionsOf('::note{__proto__="x"}', reading) ?? [];
    expect(Object.keys(section?.forms[0] ?? {})).toEqual(["__proto__"]);
  });
});
