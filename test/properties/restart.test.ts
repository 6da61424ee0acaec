/** Whatever the API accepts is the same after a restart: every field of every record, with texts that files find hard. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { jpeg } from "../media/media-site.ts";
import { memorySite, type MemorySite } from "../site.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const TIMEOUT = 240_000;
const RUNS = Number(process.env.RUNS ?? 12);

const marked = (ours: string, theirs: string): string => `<<<<<<< ${ours}\na\n=======\nb\n>>>>>>> ${theirs}\n`;
const GIT_CMS = marked("ours (git-cms)", "theirs (git-cms)");
const COMMENT =
  "# merge conflict: description has the texts of both sides: keep one, and remove the markers and this line";

const HARD: readonly string[] = [
  GIT_CMS,
  `Before\n${GIT_CMS}After`,
  GIT_CMS.replaceAll("<<<<<<<", "<<<<<<<<<").replaceAll("=======", "=========").replaceAll(">>>>>>>", ">>>>>>>>>"),
  `${COMMENT}\n${GIT_CMS}`,
  COMMENT,
  marked("HEAD", "branch"),
  marked("ours", "theirs").replace("=======", "||||||| base\nc\n======="),
  "<<<<<<< ours (git-cms)",
  ...[
    "---",
    "...",
    "--- a",
    "---\nid: 1\n---\n",
    "a\n---\nb",
    "a\n...\nb",
    "+++\na = 1\n+++",
    "{",
    "{}",
    "[]",
    "- a",
    "a: b",
  ],
  ...[
    "NO",
    "no",
    "Yes",
    "y",
    "n",
    "on",
    "OFF",
    "~",
    "null",
    "Null",
    "true",
    "True",
    "<<",
    "=",
    "12:30",
    "1:02:03",
    "1_000",
  ],
  ...[
    "0o17",
    "017",
    "0b11",
    "0x1F",
    "1e3",
    ".inf",
    "-.INF",
    ".NaN",
    "+1",
    "1.",
    ".5",
    "2026-01-01",
    "2026-01-01T00:00:00Z",
  ],
  ...[
    "*a",
    "&a",
    "!a",
    "!!str a",
    "%a",
    "@a",
    "`a",
    "|",
    ">",
    "|-\n a",
    "? a",
    "a #b",
    "#a",
    "a:",
    ": a",
    "'",
    '"',
    "\\",
    "\\n",
  ],
  ...[
    "a\r\nb\r\n",
    "a\rb",
    "a\n\rb",
    "\r",
    "a\tb",
    "\ta",
    "a\t",
    "\ta\n\tb",
    " \n a",
    "a \n b ",
    "a\n\n\nb\n\n",
    "\n",
    "\n\na",
  ],
  ...[
    "\u0085",
    "a\u0085b",
    "a\u2028b\nc",
    "\u2029",
    "\ufeff",
    "\ufeffa\nb",
    "a\ufeff",
    "\u00a0a",
    "\u200b",
    "\u202ea",
    "\u0001",
    "a\u0007b\nc",
    "\u001b[0m",
  ],
  ...[
    "\u007f",
    "\u009f",
    "\ufffd",
    "\ud83d\ude00",
    "\u{10ffff}",
    "e\u0301",
    "\ud800",
    "\udc00a",
    "\u0000",
    "\uffff",
    "\ufdd0",
  ],
  ...[
    "a".repeat(190),
    "a ".repeat(90),
    `${"x".repeat(4000)}\n${"y ".repeat(2000)}`,
    "a\n".repeat(90),
    "__proto__",
    "constructor",
  ],
];

const texts = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...HARD) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom(...HARD), fc.constantFrom(...HARD)).map((two) => two.join("\n")) },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
);
const values = fc.oneof(
  { weight: 4, arbitrary: texts },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.dictionary(texts, texts, { maxKeys: 3 }),
      fc.array(fc.oneof(texts, fc.dictionary(texts, texts, { maxKeys: 2 })), { maxLength: 3 }),
      fc.record({ a: fc.record({ b: fc.array(texts, { maxLength: 2 }) }) }),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(0, -0, 1.5, 1e21, 5e-324, -1, true, false, null) },
);

/** A page in a Markdown file, whose text is its body. */
const MARKDOWN = (id: number): string =>
  `---\nid: ${id}\n# kept\ntranslations:\n  en:\n    title: "Post ${id}"\n    permalink: /post-${id}\n---\nText\n`;

const FILES = {
  "content/pages/post.md": MARKDOWN(900),
  "content/pages/plain.md": "# Plain\n\nText\n",
  "content/articles/news.md": MARKDOWN(901),
  "content/page-models/room.yaml":
    "schema:\n  - { name: a, kind: string }\n  - { name: b, kind: text, translated: true }\n",
  "content/redirects.yaml": "# Old ones\n- { from: /old, to: /new }\n",
};

/** Fields that take texts, by the address of a record; several addresses of one kind have several forms of files. */
type Places = readonly (readonly [method: string, path: string, fields: readonly string[]])[];

const PAGE_FIELDS = [
  ...["title", "title_it", "description", "description_it", "keywords", "og_title", "og_description", "template_data"],
  ...[
    "template_data_it",
    "meta",
    "identifier",
    "canonical",
    "permalink",
    "permalink_it",
    "og_type",
    "og_url",
    "robots",
    "summary",
  ],
];

async function places({ api, ask }: MemorySite): Promise<Places> {
  const page = await api("POST", "pages/", { title: "Page", template_data: { a: 1 } });
  const published = await api("POST", "pages/", { title: "Published" });
  await api("POST", `pages/${published.id}/publish/`);
  const article = await api("POST", "articles/", { title: "Article" });
  const room = await api("POST", "pages/", { title: "Room", model: "room" });
  const tag = await api("POST", "tags/", { name: "Tag" });
  const menu = await api("POST", "menus/", { key: "main", nodes: [] });
  const block = await api("POST", "contents/", { identifier: "notice", content: "Closed" });
  const type = await api("POST", "meta-types/", { name: "Type", key: "type", schema: [{ name: "a" }] });
  const instance = await api("POST", "meta-instances/", { meta_type: type.id, data: { a: "x" } });
  const form = new FormData();
  form.append("file", new File([(await jpeg(40, 30)) as Uint8Array<ArrayBuffer>], "a.jpg"));
  const request = new Response(form);
  const { body: media } = await ask("POST", "api:media", {
    as: "staff",
    body: new Uint8Array(await request.arrayBuffer()),
    headers: { "content-type": request.headers.get("content-type")! },
  });
  const folder = await api("POST", "media-folders/", { title: "Folder" });
  const released = await api("POST", "releases/", {
    name: "spring",
    items: [{ page: page.id, language: "en", action: "publish" }],
  });
  return [
    ["PATCH", `pages/${page.id}/`, PAGE_FIELDS],
    ["PATCH", "pages/900/", PAGE_FIELDS],
    ["PATCH", "articles/901/", [...PAGE_FIELDS, "content", "content_it"]],
    ["PATCH", `articles/${article.id}/`, [...PAGE_FIELDS, "content", "content_it"]],
    ["PATCH", `pages/${room.id}/`, PAGE_FIELDS],
    ["PATCH", `pages/${page.id}/draft/`, PAGE_FIELDS],
    ["PATCH", `pages/${published.id}/draft/?language=it`, PAGE_FIELDS],
    ["PATCH", "pages/900/draft/", PAGE_FIELDS],
    ["PATCH", `tags/${tag.id}/`, ["name", "name_it", "title", "title_it"]],
    ["PATCH", `menus/${menu.id}/`, ["key", "nodes", "enabled"]],
    ["PATCH", `contents/${block.id}/`, ["identifier", "content", "content_it", "title", "permalink", "subtitle"]],
    ["PATCH", `meta-types/${type.id}/`, ["name", "key", "description"]],
    ["PATCH", `meta-instances/${instance.id}/`, ["data", "key", "name"]],
    ["PATCH", `media/${media.id}/`, ["title", "title_it", "alt_text", "alt_text_it", "description", "description_it"]],
    ["PATCH", `media-folders/${folder.id}/`, ["title", "title_it", "description", "slug"]],
    ["PATCH", `releases/${released.name}/`, ["comment", "items"]],
    ["POST", "redirects/", ["from", "to"]],
  ];
}

/** The body of a write: some fields take a value in the form that they need. */
function bodyOf(path: string, field: string, value: unknown): unknown {
  if (path === "redirects/") return { from: field === "from" ? value : "/r", to: field === "to" ? value : "/s" };
  const isText = typeof value === "string";
  if (field.startsWith("template_data") || field === "meta")
    return { [field]: isText ? { body: value, a: [value] } : value };
  if (field === "data") return { data: { a: value } };
  if (field === "items") return { items: [{ page: value, language: "en", action: "publish" }] };
  if (field === "nodes")
    return { nodes: [{ id: "a", title: value, link: { link_type: "ST", static: "/a" }, meta: { value } }] };
  if (field === "permalink" || field === "permalink_it")
    return { [field]: typeof value === "string" ? `/${value}` : value, autopermalink: false };
  return { [field]: value };
}

const writes = fc.array(fc.tuple(fc.nat(), fc.nat(), values), { minLength: 25, maxLength: 35 });

// Samples, since a failing run names the write, and shrinking it would take minutes.
it(
  "has every accepted value after a restart and in a fresh clone",
  async () => {
    let accepted = 0;
    for (const list of fc.sample(writes, RUNS)) {
      const site = await memorySite(FILES);
      const all = await places(site);
      for (const [at, which, value] of list) {
        const [method, path, fields] = all[at % all.length]!;
        const body = bodyOf(path, fields[which % fields.length]!, value);
        const answer = await site.ask(method, `api:${path}`, { body, as: "superuser" });
        const said = `${method} ${path} ${JSON.stringify(body).slice(0, 500)}: ${answer.status} ${answer.text.slice(0, 300)}`;
        if (answer.status >= 300 && answer.status !== 400) throw new Error(said);
        if (answer.status < 300) accepted++;
        await expectSameAfterRestart(site).catch((error: Error) => {
          throw new Error(`${said}: ${error.message}`, { cause: error });
        });
      }
    }
    expect(accepted).toBeGreaterThan(RUNS * 8);
  },
  TIMEOUT,
);

it.each(["/api/cms/pages/900/", "/api/cms/articles/901/", "yaml"])("stores each of these texts in %s", async (path) => {
  const site = await memorySite(FILES);
  const page = path === "yaml" ? `/api/cms/pages/${(await site.api("POST", "pages/", { title: "T" })).id}/` : path;
  const isArticle = path.includes("articles");
  for (const text of HARD) {
    const body = isArticle ? { content: text } : { template_data: { body: text } };
    const answer = await site.ask("PATCH", page, { body, as: "staff" });
    const isStorable = text.isWellFormed() && !(isArticle && /[\0\uffff]/.test(text));
    expect([text, answer.status]).toEqual([text, isStorable ? 200 : 400]);
    await expectSameAfterRestart(site);
  }
});
