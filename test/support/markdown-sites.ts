/** Old sites of Markdown, one for each generator: the same posts and pages, laid out as the generator has them. */
import sharp from "sharp";

export interface MarkdownSite {
  readonly name: string;
  readonly files: ReadonlyMap<string, string>;
  /** Paths of the pictures. */
  readonly pictures: readonly string[];
  /** Paths that the old site served. */
  readonly addresses: readonly string[];
}

/** A small picture, another one for each number. */
export const picture = (at: number): Promise<Buffer> =>
  sharp({ create: { width: 60, height: 30, channels: 3, background: { r: at % 256, g: 90, b: 120 } } })
    .png()
    .toBuffer();

const POSTS = 40;
const PAGES = 14;
const pad = (number: number): string => String(number).padStart(2, "0");

interface Layout {
  readonly name: string;
  readonly config: readonly (readonly [path: string, text: string])[];
  post(number: number, date: string): { readonly path: string; readonly address: string };
  page(number: number): { readonly path: string; readonly address: string };
  readonly draft: string;
  readonly pictures: string;
  readonly aliasField: string;
  readonly posts?: number;
  readonly pages?: number;
}

function siteFor(layout: Layout): MarkdownSite {
  const { posts = POSTS, pages = PAGES } = layout;
  const files = new Map<string, string>(layout.config);
  const addresses: string[] = [];
  const pictures: string[] = [];
  // In winter, when New York is five hours behind UTC: Jekyll has the date of its own zone in addresses.
  const dateOf = (number: number): string => `2024-${pad(1 + (number % 2))}-${pad(1 + (number % 28))}`;
  for (let number = 1; number <= posts; number++) {
    const date = dateOf(number);
    const { path, address } = layout.post(number, date);
    const next = layout.post(1 + (number % posts), dateOf(1 + (number % posts)));
    const image = `images/post-${number}.png`;
    pictures.push(`${layout.pictures}/${image}`);
    files.set(
      path,
      `---\ntitle: Post ${number}\ndate: ${date}T23:30:00-05:00\ntags: [news, tag-${number % 5}]\n${layout.aliasField}:\n  - /old/${number}/\n---\n` +
        `Text of [the next](${next.address}) and [a page](${layout.page(1).address}).\n\n![Picture ${number}](/${image})\n`,
    );
    addresses.push(address, `/old/${number}/`, `/${image}`);
  }
  for (let number = 1; number <= pages; number++) {
    const { path, address } = layout.page(number);
    files.set(
      path,
      `---\ntitle: Page ${number}\n---\n# Page ${number}\n\nSee [a post](${layout.post(1, dateOf(1)).address}).\n`,
    );
    addresses.push(address);
  }
  files.set(layout.draft, "---\ntitle: A draft\ndate: 2024-05-01\ndraft: true\n---\nNot yet.\n");
  return { name: layout.name, files, pictures, addresses };
}

export const MARKDOWN_SITES: readonly MarkdownSite[] = [
  siteFor({
    name: "hugo",
    config: [
      ["hugo.toml", 'baseURL = "https://old.example/"\n[[menus.main]]\nname = "Posts"\nurl = "/posts/"\nweight = 1\n'],
      ["content/_index.md", "---\ntitle: Home\n---\nWelcome.\n"],
      ["content/posts/_index.md", "---\ntitle: Posts\n---\n"],
    ],
    post: (number) => ({ path: `content/posts/post-${number}.md`, address: `/posts/post-${number}/` }),
    page: (number) => ({ path: `content/page-${number}.md`, address: `/page-${number}/` }),
    draft: "content/posts/draft.md",
    pictures: "static",
    aliasField: "aliases",
  }),
  siteFor({
    name: "jekyll",
    config: [
      ["_config.yml", "url: https://old.example\ntimezone: America/New_York\n"],
      ["index.md", "---\ntitle: Home\n---\nWelcome.\n"],
    ],
    post: (number, date) => ({
      path: `_posts/${date}-post-${number}.md`,
      address: `/${date.replaceAll("-", "/")}/post-${number}.html`,
    }),
    page: (number) => ({ path: `page-${number}.md`, address: `/page-${number}.html` }),
    draft: "_drafts/draft.md",
    pictures: ".",
    aliasField: "redirect_from",
  }),
  siteFor({
    name: "astro",
    config: [
      ["astro.config.mjs", 'export default { site: "https://old.example" };\n'],
      ["src/pages/index.md", "---\ntitle: Home\n---\nWelcome.\n"],
      ["src/pages/blog/[...slug].astro", '---\nconst posts = await getCollection("blog");\n---\n'],
    ],
    post: (number) => ({ path: `src/content/blog/post-${number}.md`, address: `/blog/post-${number}/` }),
    page: (number) => ({ path: `src/pages/page-${number}.md`, address: `/page-${number}/` }),
    draft: "src/content/blog/draft.md",
    pictures: "public",
    aliasField: "aliases",
  }),
  siteFor({
    name: "eleventy",
    config: [
      ["eleventy.config.js", 'export default { dir: { input: "src" } };\n'],
      ["src/index.md", "---\ntitle: Home\n---\nWelcome.\n"],
      ["src/posts/posts.json", '{ "tags": ["posts"] }\n'],
    ],
    post: (number) => ({ path: `src/posts/post-${number}.md`, address: `/posts/post-${number}/` }),
    page: (number) => ({ path: `src/page-${number}.md`, address: `/page-${number}/` }),
    draft: "src/posts/draft.md",
    pictures: "src",
    aliasField: "aliases",
  }),
  siteFor({
    name: "decap",
    config: [
      [
        "static/admin/config.yml",
        "media_folder: static/images\npublic_folder: /images\ncollections:\n" +
          "  - { name: blog, folder: content/blog, fields: [{ name: date, widget: datetime }] }\n" +
          "  - { name: info, folder: content/info, fields: [{ name: title, widget: string }] }\n",
      ],
    ],
    post: (number) => ({ path: `content/blog/post-${number}.md`, address: `/blog/post-${number}/` }),
    page: (number) => ({ path: `content/info/page-${number}.md`, address: `/info/page-${number}/` }),
    draft: "content/blog/draft.md",
    pictures: "static",
    aliasField: "aliases",
    posts: 6,
    pages: 3,
  }),
];
