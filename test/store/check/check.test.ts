/** What `cms check` finds in content that loads: one record does not fit another, or a key no field has. */
import { expect, it } from "vitest";
import { showProblem } from "../../../src/model/text/problem.ts";
import { allProblems, contentProblems } from "../../../src/store/check/check.ts";
import { fixedFiles } from "../../../src/store/check/fix.ts";
import { memorySite } from "../../site.ts";

const page = (rest: string): string => `id: 1\ndate_created: 2026-01-01T00:00:00Z\n${rest}`;
const ABOUT =
  "id: 2\ndate_created: 2025-01-01T00:00:00Z\ntranslations:\n  en:\n    title: About\n    permalink: /about\n";

it.each([
  ["a clean page", page("translations:\n  en:\n    title: Home\n"), []],
  [
    "a missing parent",
    page("parent_page: 9\n"),
    ["content/pages/a.yaml:3:1: warning: parent_page: There is no page 9: the page is at the top level instead."],
  ],
  [
    "a page below itself",
    page("parent_page: 1\n"),
    ["content/pages/a.yaml:3:1: parent_page: The page is its own ancestor."],
  ],
  [
    "a reference by a former permalink",
    page(
      "parent_page: /old\naliases: [{ language: en, from: /old }]\ntranslations:\n  en: { title: A, permalink: /a, autopermalink: false }\n  it: { title: A, permalink: /a, autopermalink: false }\n",
    ),
    [
      expect.stringContaining("own ancestor"),
      'content/pages/a.yaml:3:1: warning: parent_page: /old is a former permalink of "A", which is at /a.',
    ],
  ],
  [
    "a missing picture",
    page("og_image: 9\n"),
    ["content/pages/a.yaml:3:1: warning: og_image: There is no media item 9."],
  ],
  [
    "an unknown model",
    page("model: event\n"),
    ["content/pages/a.yaml:3:1: model: There is no content/page-models/event.yaml: the page is served as a plain one."],
  ],
  [
    "a redirect from a live permalink",
    page("aliases:\n  - language: en\n    from: /about\n"),
    [
      expect.stringContaining(
        'aliases.0: /about is the permalink of "About" (page 2) in en: this redirect is never used.',
      ),
    ],
  ],
  [
    "a title another page has",
    page("translations:\n  en:\n    title: About\n  it:\n    title: Noi\n"),
    [
      'content/pages/a.yaml:4:3: warning: translations.en: /about belongs to "About" (page 2), so this page is at /about-2. Give it another title, or a permalink with "autopermalink: false".',
    ],
  ],
  [
    "a title that is reserved",
    page("translations:\n  en:\n    title: Changes\n  it:\n    title: Noi\n"),
    [expect.stringContaining("translations.en: /changes is reserved, so this page is at /changes-2.")],
  ],
  [
    "a part of a permalink too long for a folder",
    page(`translations:\n  en:\n    permalink: /${"x".repeat(201)}\n    autopermalink: false\n`),
    [
      expect.stringContaining(
        "content/pages/a.yaml:5:5: translations.en.permalink: A part of this path has more than 200 bytes",
      ),
    ],
  ],
  [
    "a slip of the pen",
    page("tempalte: x.html\n"),
    [expect.stringContaining("content/pages/a.yaml:3:1: tempalte: No field has this name.")],
  ],
  [
    "a slip of the pen beside errors that keep the file from loading",
    page("tempalte: x.html\nordering: high\ntranslations:\n  en:\n    titel: Home\n"),
    [
      expect.stringContaining("content/pages/a.yaml:3:1: tempalte: No field has this name."),
      expect.stringContaining("content/pages/a.yaml:7:5: translations.en.titel: No field has this name."),
    ],
  ],
  [
    "a field of each language at the top",
    page("title: Home\n"),
    [expect.stringContaining("a.yaml:3:1: title: Each language has this field: it belongs below translations.en.")],
  ],
  [
    "one in a language",
    page("translations:\n  en:\n    titel: Home\n"),
    [expect.stringContaining("content/pages/a.yaml:5:5: translations.en.titel: No field has this name.")],
  ],
  [
    "a language the site does not have",
    page("translations:\n  fr:\n    title: Accueil\n"),
    [expect.stringContaining("translations.fr: The site has no such language.")],
  ],
])("%s", async (_name, text, expected) => {
  const { cms } = await memorySite({ "content/pages/a.yaml": text, "content/pages/about.yaml": ABOUT });
  expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toEqual(expected);
});

it("says how front matter of another generator is read", async () => {
  const { cms } = await memorySite({ "content/pages/a.md": "---\nid: 12\ntitle: Home\n---\nText\n" });
  expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toContainEqual(
    expect.stringMatching(
      /a\.md:3:1: title: .* below translations\.en\. CONTENT\.FRONT_MATTER in cms\.config\.yaml reads/,
    ),
  );
});

it("mends what has one right answer, and leaves comments", async () => {
  const { cms } = await memorySite({
    "content/pages/a.yaml":
      "# The first.\nidentifier: a\naliases: [{ language: it, from: /vecchia }]\ntranslations:\n  it: { title: A, permalink: /nuova, autopermalink: false }\n",
    "content/contents/b.yaml": "id: 3\npage: /it/vecchia # of the page\n",
  });
  const files = await fixedFiles(cms.store, await contentProblems(cms.store, cms.locales));
  expect(files.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])).toEqual([
    ["content/contents/b.yaml", "id: 3\npage: /it/nuova # of the page\n"],
    ["content/pages/a.yaml", expect.stringMatching(/^# The first\.\nid: \d+\nidentifier: a\naliases: /)],
  ]);
});

it("tells every wrong value of a file", async () => {
  const { cms } = await memorySite({
    "content/pages/a.yaml": "id: 1\nordering: -1\ndate_created: yesterday\ntranslations:\n  en: { title: [] }\n",
  });
  expect(cms.store.current.problems.map(showProblem)).toEqual([
    expect.stringContaining("content/pages/a.yaml:2:1: ordering: "),
    expect.stringContaining("content/pages/a.yaml:3:1: date_created: "),
    expect.stringContaining("content/pages/a.yaml:5:9: translations.en.title: "),
  ]);
});

it.each([
  ["a page whose draft cannot be parsed", "ordering: -1\nseo: 1\n", "payload: [\n"],
  ["a draft whose page cannot be parsed", "translations: [\n", "payload: [\n"],
])("tells the problems of every file of %s", async (_name, rest, draft) => {
  const { cms } = await memorySite({ "content/pages/a.yaml": page(rest), "content/pages/a.draft.en.yaml": draft });
  const found = (await allProblems(cms.store, cms.locales)).map(showProblem);
  expect(found).toContainEqual(expect.stringContaining("a.draft.en.yaml:2:1: "));
  expect(found).toContainEqual(expect.stringMatching(/a\.yaml:(?:3:1: ordering|4:1)/));
  if (rest.includes("seo")) expect(found).toContainEqual(expect.stringContaining("a.yaml:4:1: seo: No field"));
  expect(new Set(found).size).toBe(found.length);
});

it("finds drafts that cannot be published", async () => {
  const { cms } = await memorySite({
    "content/pages/a.yaml": ABOUT,
    "content/pages/a.draft.en.yaml": "payload:\n  title: [1]\n",
  });
  expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toEqual([
    "content/pages/a.draft.en.yaml:2:3: payload.title: The draft cannot be published: Not a valid string.",
  ]);
});

it("finds data that a page model would refuse today, and links and blocks that lead nowhere", async () => {
  const { cms } = await memorySite({
    "content/page-models/event.yaml": "schema:\n  - { name: seats, kind: integer }\n",
    "content/pages/a.yaml": page(
      "model: event\ntranslations:\n  en:\n    template_data:\n      seats: many\n      chairs: 2\n",
    ),
    "content/menus/main.yaml":
      "id: 3\ntranslations:\n  en:\n    nodes:\n      - title: Gone\n        link: { link_type: RE, url_node: 9 }\n",
    "content/contents/hero.yaml": "id: 4\nidentifier: hero\npage: 9\n",
    "content/threads/5.yaml": "id: 5\npage: 9\ncomments: [{ id: 6, by: anna, text: Right? }]\n",
    "content/reviews/r.yaml": "id: 7\nby: anna\nitems: [{ page: 9, language: it }]\n",
  });
  expect((await contentProblems(cms.store, cms.locales)).map(showProblem)).toEqual([
    expect.stringMatching(/^content\/pages\/a.yaml:7:7: translations.en.template_data.seats: /),
    expect.stringMatching(
      /^content\/pages\/a.yaml:8:7: translations.en.template_data.chairs: The page model "event" has no field "chairs"\.$/,
    ),
    "content/menus/main.yaml:6:32: warning: translations.en.nodes.0.link.url_node: There is no page 9: the node has no URL.",
    "content/contents/hero.yaml:3:1: warning: page: There is no page 9: the block is shown nowhere.",
    "content/threads/5.yaml:2:1: warning: page: There is no page 9: nobody sees this.",
    "content/reviews/r.yaml:3:11: warning: items.0.page: There is no page 9: nobody sees this.",
  ]);
});

it.each([
  ["case", "content/pages/about.yaml", "content/pages/About.yaml"],
  ["Unicode form", "content/pages/caf\u00e9.yaml", "content/pages/cafe\u0301.yaml"],
  ["case in a folder's name", "content/pages/a/about.yaml", "content/pages/A/about.yaml"],
])("finds names that differ by %s alone", async (_what, one, other) => {
  const { cms } = await memorySite({ [one]: page(""), [other]: page("").replace("id: 1", "id: 2") });
  const [first, second] = [one, other].sort();
  expect(
    (await contentProblems(cms.store, cms.locales)).filter(({ message }) => message.includes("differs from")),
  ).toEqual([
    {
      path: second,
      rule: "file-name",
      message: expect.stringContaining(`Its name differs from that of ${first} by case`),
    },
  ]);
});
