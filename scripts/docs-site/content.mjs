/** The content of the documentation's site, made from the Markdown files of the repository. */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { dump } from "js-yaml";

const INDEX = "docs/README.md";
/** Pages of the repository itself, after those of the index. */
const PROJECT = [
  { label: "Changelog", file: "CHANGELOG.md" },
  { label: "Contributing", file: "CONTRIBUTING.md" },
  { label: "Architecture", file: "ARCHITECTURE.md" },
  { label: "Decisions", file: "DECISIONS.md" },
];
const PUBLISHED = "2026-01-01T00:00:00Z";

/**
 * @param root of the repository
 * @returns texts of the site's files by path, and files of the repository that are linked to, which belong below media/files/
 */
export function siteFiles(root) {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const groups = groupsOf(read(INDEX));
  const entries = groups.flatMap((group) => group.entries);
  const pages = entries.map(({ label, file }, at) => ({
    ...{ label, file, id: at + 10 },
    ...addressOf(file),
    ...partsOf(read(file)),
  }));
  const copies = new Set();
  const place = (from) => (target) => {
    const [path, anchor] = target.split("#");
    const file = path === "" ? from : posix.normalize(posix.join(dirname(from), path));
    const page = file === INDEX ? { url: "/", label: "the documentation" } : pages.find((each) => each.file === file);
    if (page) return { url: `${page.url}${anchor ? `#${anchor}` : ""}`, label: page.label };
    if (!existsSync(join(root, file)) || statSync(join(root, file)).isDirectory()) return undefined;
    copies.add(file);
    return { url: `/assets/files/${file}` };
  };
  const texts = {};
  for (const page of pages)
    texts[`content/pages/${page.name}.yaml`] = pageText(page.id, page, {
      body: withLinks(page.body, place(page.file)),
    });
  // Its first sentence is the heading of the page.
  const lead = read("README.md")
    .split("\n\n")[1]
    .replace(/^[^.]+\.\s/, "");
  texts["content/pages/home.yaml"] = pageText(1, { title: "git-cms", permalink: "/" }, { lead }, "pages/home.html");
  texts["content/menus/main.yaml"] = dump({
    id: 1,
    key: "main",
    translations: { en: { nodes: nodesOf(groups, pages) } },
  });
  return { texts, copies: [...copies] };
}

/** The groups of the index, in its order: headings, and the Markdown files below them. */
function groupsOf(index) {
  const groups = index
    .split(/^## /m)
    .slice(1)
    .map((part) => ({
      title: part.slice(0, part.indexOf("\n")),
      entries: [...part.matchAll(/^\d+\. \[([^\]]+)\]\(([^)#]+)\)/gm)].map(([, label, path]) => ({
        label,
        file: posix.join("docs", path),
      })),
    }));
  return [...groups, { title: "The project", entries: PROJECT }];
}

function addressOf(file) {
  const name = file === "README.md" ? "start" : posix.basename(file, ".md").toLowerCase();
  return { name, permalink: `/${name}`, url: `/${name}/` };
}

/** The text, the title from its first heading, and a description from its first paragraph. */
function partsOf(text) {
  const body = text.replace(/^<!--.*-->\n+/gm, "");
  const title = /^# (.+)$/m.exec(body)?.[1] ?? "";
  const paragraph = body.split("\n\n").find((part) => /^[A-Z`]/.test(part)) ?? "";
  return { body, title, description: plain(paragraph).slice(0, 160) };
}

const plain = (markdown) =>
  markdown
    .replace(/\]\([^)]*\)/g, "")
    .replace(/[`*[\]|]/g, "")
    .replace(/\s+/g, " ")
    .trim();

const CODE = /(^ *```[^]*?^ *```$|`[^`\n]+`(?!\]))/m;

/**
 * Links outside of code with the addresses of the site. A link that shows the name of a page's file shows the page's name
 * instead; one that leads to no page and no file is its text alone.
 */
const withLinks = (text, place) =>
  text
    .split(CODE)
    .map((part, at) =>
      at % 2 === 1
        ? part
        : part.replace(/\[([^\]]*)\]\(([^)\s]+)\)/g, (whole, label, target) => {
            if (/^[a-z]+:/.test(target)) return whole;
            const found = place(target);
            if (found === undefined) return label;
            return `[${found.label && label.endsWith(".md") ? found.label : label}](${found.url})`;
          }),
    )
    .join("");

function pageText(id, { title, permalink, description = "" }, template_data, template) {
  const text = { title, permalink, autopermalink: false, published_at: PUBLISHED, description, template_data };
  return dump({ id, ...(template && { template }), translations: { en: text } });
}

/** A menu node needs a link, so a group leads to its first page. */
function nodesOf(groups, pages) {
  const linkTo = (entry) => ({ link_type: "RE", url_node: pages.find((page) => page.file === entry.file).id });
  return groups.map(({ title, entries }) => ({
    title,
    link: linkTo(entries[0]),
    nodes: entries.map((entry) => ({ title: entry.label, link: linkTo(entry) })),
  }));
}
