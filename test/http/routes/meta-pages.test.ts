/** Instances in rendered pages, and which of them are public. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { memorySite } from "../../site.ts";

const TYPE = `id: 5
name: Team
schema:
  - name: name
    translated: true
  - name: text
    kind: html
  - name: page
    kind: ref
    target_model: cms.Page
  - name: pages
    kind: queryset
    target_model: cms.Page
  - name: more
    kind: permalink
  - name: who
    kind: ref
    target_model: auth.User
  - name: block
    kind: ref
    target_model: cms.Content
  - name: friend
    kind: ref
    target_model: cms.MetaInstance
`;
const page = (id: number, name: string, published: string): string =>
  `id: ${id}\ntranslations:\n  en:\n    title: ${name}\n    permalink: /${name}\n    ${published}\n`;
const PUBLIC = "published_at: 2026-01-01T00:00:00Z";
const FILES = {
  "content/meta-types/team.yaml": TYPE,
  "content/pages/home.yaml": `id: 1\ntemplate: team.html\ntranslations:\n  en:\n    title: Home\n    permalink: /\n    autopermalink: false\n    ${PUBLIC}\n  it:\n    title: Casa\n    permalink: /\n    autopermalink: false\n    ${PUBLIC}\n`,
  "content/pages/open.yaml": page(2, "open", PUBLIC),
  "content/pages/secret.yaml": page(3, "secret", "description: hush"),
  "content/contents/secret.yaml": "id: 4\nidentifier: secret-block\npage: 3\ntranslations:\n  en:\n    content: hush\n",
  "content/meta-instances/team/b.yaml":
    "id: 12\ncreated_at: 2026-01-02T00:00:00Z\ndata:\n  name:\n    en: Second\n    it: Seconda\n  page: 3\n  pages: [2, 3]\n  more:\n    link_type: RE\n    url_node: 3\n  who: 1\n  block: 4\n  friend: 11\n",
  "content/meta-instances/team/a.yaml":
    "id: 11\ncreated_at: 2026-01-01T00:00:00Z\ndata:\n  name:\n    en: First\n  text: <p>Hi <script>x</script></p>\n  page: 2\n  pages: [3, 2]\n  more:\n    link_type: RE\n    url_node: 2\n",
};
const TEMPLATE = `{% for each in instances("team") %}{{ each.data.name }}|{{ each.data.page.title }}|{{ each.data.more.url }}|{{ each.data.pages.length }}|{{ each.data.text | html }}|{{ each.data.who }}|{{ each.data.block }}|{{ each.data.friend.data.pages }}
{% endfor %}{{ instances("none").length }}{{ instances(5).length }}`;

async function site() {
  const made = await memorySite(FILES);
  await mkdir(join(made.cms.root, "templates"), { recursive: true });
  await writeFile(join(made.cms.root, "templates", "team.html"), TEMPLATE);
  made.cms.templates.reset();
  return made;
}

it("shows them in order of creation, in the reader's language, without hidden content", async () => {
  const { ask, token } = await site();
  await token("staff"); // an account with the referenced id
  const english = await ask("GET", "/");
  expect(english.text).toBe("First|open|/open/|1|<p>Hi &lt;script&gt;x&lt;/script&gt;</p>|||\nSecond|||1||||2\n00");
  expect(english.text).not.toMatch(/secret|hush|staff/);
  const italian = await ask("GET", "/it/");
  expect(italian.text.split("\n").map((line) => line.split("|")[0])).toEqual(["First", "Seconda", "00"]);
});

it("shows hidden content in an editor's preview", async () => {
  const { ask } = await site();
  const { text } = await ask("GET", "api:pages/1/render/", { as: "staff" });
  expect(text).toContain("Second|secret|/secret/|2|");
});

it("change the epoch, since any page may show them", async () => {
  const { ask, api, clock } = await site();
  const epoch = async () => (await ask("GET", "api:pages-router/changes")).body.epoch as string;
  const before = await epoch();
  clock.tick(60_000);
  await api("PATCH", "meta-instances/11/", { identifier: "first" });
  const after = await epoch();
  expect(after > before).toBe(true);
  clock.tick(60_000);
  await api("PATCH", "meta-types/5/", { name: "People" });
  expect((await epoch()) > after).toBe(true);
});
