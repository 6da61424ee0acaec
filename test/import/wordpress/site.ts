/** An old site of WordPress as tests need it: 200 posts, pages, files, menus, two languages, and what cannot be carried. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import sharp from "sharp";
import { temporaryFolder } from "../../site.ts";
import type { ExportedItem, ExportedSite } from "../../support/wordpress-export.ts";
import { phpString } from "../../support/wordpress-export.ts";

export const HOME = "https://old.example";
export const POSTS = 200;
const FIRST_POST = 1000;

const pictureId = (at: number): number => 3000 + at;
/** Path of a picture below the folder of uploads. */
export const picturePath = (at: number): string => `2024/0${1 + (at % 9)}/photo-${at}.png`;
export const PICTURES = 6;

const it = ["language", "it", "Italiano"] as const;
const en = ["language", "en", "English"] as const;
const group = (name: string) => ["post_translations", `pll_${name}`, `pll_${name}`] as const;

export const pictureItems: readonly ExportedItem[] = Array.from({ length: PICTURES }, (_, at) => ({
  id: pictureId(at),
  type: "attachment",
  status: "inherit",
  title: `Photo ${at}`,
  excerpt: "",
  link: `/photo-${at}/`,
  attachmentUrl: `${HOME}/wp-content/uploads/${picturePath(at)}`,
  meta: [
    ["_wp_attached_file", picturePath(at)],
    ["_wp_attachment_image_alt", `A field in ${at} colours`],
  ],
}));

function post(at: number): ExportedItem {
  const id = FIRST_POST + at;
  const path = postPath(at);
  const next = (at + 1) % POSTS;
  const picture = at % PICTURES;
  return {
    id,
    title: `Post ${at} &amp; more`,
    link: path,
    slug: `post-${at}`,
    creator: at % 2 === 0 ? "anna" : "bruno",
    dateGmt: `2024-0${1 + (at % 9)}-1${at % 10} 08:30:00`,
    date: `2024-0${1 + (at % 9)}-1${at % 10} 10:30:00`,
    excerpt: at % 3 === 0 ? `Summary of <b>${at}</b>` : "",
    comments: at % 50 === 0 ? 2 : 0,
    terms: [
      en,
      ["category", at % 2 === 0 ? "news" : "events", at % 2 === 0 ? "News" : "Events"],
      ["post_tag", "garden", "Garden"],
    ],
    meta: [
      ["_thumbnail_id", `${pictureId(picture)}`],
      ["_edit_last", "1"],
      ["mood", "good"],
      ...(at === 5 ? [["_wp_old_slug", "first-name-5"] as const] : []),
    ],
    content:
      at % 2 === 0
        ? `<!-- wp:paragraph -->\n<p>See <a href="${HOME}${postPath(next)}#more-${FIRST_POST + next}">the next</a>, <a href="/about/team/">the team</a>, <a href="${HOME}/category/news/">news</a> and <a href="https://elsewhere.example/x">elsewhere</a>.</p>\n<!-- /wp:paragraph -->\n\n<!-- wp:image {"id":${pictureId(picture)}} -->\n<figure class="wp-block-image"><img src="${HOME}/wp-content/uploads/${picturePath(picture).replace(".png", "-300x200.png")}" srcset="${HOME}/x.png 300w" alt="Field"/></figure>\n<!-- /wp:image -->`
        : `Written in the <em>classic</em> editor,\nsee <a href="http://www.old.example/?p=${FIRST_POST + next}">the next</a>.\n\n[caption id="attachment_1" width="300"]<img src="/wp-content/uploads/${picturePath(picture)}" alt="Field" /> A field[/caption]`,
  };
}

export const postPath = (at: number): string => `/2024/0${1 + (at % 9)}/post-${at}/`;

const menu = (
  id: number,
  order: number,
  meta: readonly (readonly [string, string])[],
  title = "",
  menuName = "main",
): ExportedItem => ({
  id,
  type: "nav_menu_item",
  title,
  order,
  link: `/?p=${id}`,
  terms: [["nav_menu", menuName, "Main"]],
  meta: [
    ["_menu_item_menu_item_parent", "0"],
    ["_menu_item_target", ""],
    ["_menu_item_classes", 'a:1:{i:0;s:0:"";}'],
    ...meta,
  ],
});

export const OLD_SITE: ExportedSite = {
  link: HOME,
  language: "en-US",
  authors: [
    { id: 1, login: "anna", first: "Anna", last: "Rossi" },
    { id: 2, login: "bruno" },
  ],
  categories: [
    { id: 11, slug: "news", name: "News" },
    { id: 12, slug: "events", name: "Events" },
    { id: 13, slug: "concerts", name: "Concerts", parent: "events" },
    { id: 14, slug: "notizie", name: "Notizie" },
  ],
  tags: [
    { id: 21, slug: "garden", name: "Garden" },
    { id: 22, slug: "news", name: "News" },
  ],
  terms: [
    { id: 31, taxonomy: "nav_menu", slug: "main", name: "Main" },
    {
      id: 32,
      taxonomy: "term_translations",
      slug: "pll_t",
      name: "pll_t",
      description: `a:2:{${phpString("en")}i:11;${phpString("it")}i:14;}`,
    },
  ],
  items: [
    {
      id: 1,
      type: "page",
      title: "Home",
      link: "/",
      slug: "home",
      content: "<p>Welcome. <a href='/about/'>About</a></p>",
      terms: [en, group("home")],
    },
    {
      id: 2,
      type: "page",
      title: "Inizio",
      link: "/it/",
      slug: "inizio",
      content: "<p>Benvenuti.</p>",
      terms: [it, group("home")],
    },
    {
      id: 3,
      type: "page",
      title: "About",
      link: "/about/",
      slug: "about",
      order: 2,
      content: "About us",
      terms: [en, group("about")],
      meta: [["_wp_page_template", "templates/wide.php"]],
    },
    {
      id: 4,
      type: "page",
      title: "Chi siamo",
      link: "/it/chi-siamo/",
      slug: "chi-siamo",
      content: `<a href="${HOME}/it/">Casa</a>`,
      terms: [it, group("about")],
    },
    { id: 5, type: "page", title: "Team", link: "/about/team/", slug: "team", parent: 3, content: "Us", terms: [en] },
    { id: 6, type: "page", title: "Sketch", status: "draft", content: "Not yet" },
    {
      id: 7,
      title: "To come",
      status: "future",
      slug: "to-come",
      dateGmt: "2099-05-01 08:00:00",
      date: "2099-05-01 10:00:00",
      content: "Later",
    },
    { id: 8, title: "For us", status: "private", slug: "for-us", content: "Secret" },
    { id: 9, title: "Locked", slug: "locked", password: "1234", content: "Secret" },
    { id: 10, title: "Thrown away", status: "trash", slug: "thrown-away__trashed", link: "/?p=10", content: "Gone" },
    { id: 11, title: "To review", status: "pending", content: "Look" },
    { id: 12, type: "revision", status: "inherit", title: "Old", link: "/?p=12" },
    { id: 13, type: "wpcf7_contact_form", title: "Form", link: "/?post_type=wpcf7_contact_form&p=13" },
    {
      id: 14,
      type: "page",
      title: "Deutsch \u009b31m",
      link: "/de/deutsch/",
      slug: "deutsch",
      terms: [["language", "de", "Deutsch"]],
    },
    {
      id: 15,
      title: "With a shortcode",
      slug: "shortcode",
      content: 'One\n\n[contact-form-7 id="13"]\n\n<a href="/lost/">lost</a>',
      meta: [
        ["_private", "x"],
        ["list", 'a:2:{i:0;s:1:"a";i:1;s:1:"b";}'],
        ["__proto__", "x"],
      ],
    },
    { id: 16, title: "With a dot", link: "/archive/With.Dot.html", slug: "with-dot" },
    ...pictureItems,
    ...Array.from({ length: POSTS }, (_, at) => post(at)),
    menu(5001, 1, [
      ["_menu_item_type", "post_type"],
      ["_menu_item_object", "page"],
      ["_menu_item_object_id", "3"],
    ]),
    menu(
      5002,
      2,
      [
        ["_menu_item_type", "post_type"],
        ["_menu_item_object", "page"],
        ["_menu_item_object_id", "5"],
        ["_menu_item_menu_item_parent", "5001"],
      ],
      "Our team",
    ),
    menu(
      5003,
      3,
      [
        ["_menu_item_type", "custom"],
        ["_menu_item_url", "https://elsewhere.example/"],
      ],
      "Elsewhere",
    ),
    menu(5004, 4, [
      ["_menu_item_type", "taxonomy"],
      ["_menu_item_object", "category"],
      ["_menu_item_object_id", "11"],
    ]),
    menu(
      5005,
      5,
      [
        ["_menu_item_type", "post_type"],
        ["_menu_item_object", "page"],
        ["_menu_item_object_id", "777"],
      ],
      "Nowhere",
    ),
  ],
};

/** A site with block types for blocks of WordPress, some fields named as their values are and others not. */
export const BLOCK_FILES: Readonly<Record<string, string>> = {
  "content/page-models/landing.yaml": "schema:\n  - { name: sections, kind: blocks }\n",
  "content/block-types/text.yaml": "schema: [{ name: title }, { name: body, kind: text, required: true }]\n",
  "content/block-types/image.yaml":
    "schema: [{ name: image, kind: media }, { name: alt }, { name: caption, kind: text }]\n",
  "content/block-types/quote.yaml": "schema: [{ name: words, kind: textarea, required: true }, { name: who }]\n",
  "content/block-types/cover.yaml":
    "schema: [{ name: title }, { name: text, kind: text }, { name: image, kind: media }]\n",
  "content/block-types/media-text.yaml": "schema: [{ name: picture, kind: media }]\n",
  "content/block-types/columns.yaml":
    "schema:\n  - { name: columns, kind: list, children: [{ name: content, kind: blocks }] }\n",
  "content/block-types/gallery.yaml":
    "schema:\n  - { name: pictures, kind: list, children: [{ name: picture, kind: media }, { name: caption }] }\n  - { name: caption }\n",
  "content/block-types/buttons.yaml":
    "schema:\n  - { name: links, kind: list, children: [{ name: label, required: true }, { name: to, kind: permalink }] }\n",
};

const upload = (at: number): string => `${HOME}/wp-content/uploads/${picturePath(at)}`;

/** What the block editor writes for a page of a cover, a text, columns, a gallery and buttons. */
export const BLOCKS_PAGE = `<!-- wp:cover {"url":"${upload(0)}","id":${pictureId(0)},"dimRatio":50,"align":"full","layout":{"type":"constrained"}} -->
<div class="wp-block-cover alignfull"><img class="wp-block-cover__image-background wp-image-${pictureId(0)}" alt="" src="${upload(0)}" data-object-fit="cover"/><span aria-hidden="true" class="wp-block-cover__background has-background-dim"></span><div class="wp-block-cover__inner-container"><!-- wp:heading {"textAlign":"center","level":1} -->
<h1 class="wp-block-heading has-text-align-center">The garden opens</h1>
<!-- /wp:heading -->

<!-- wp:paragraph {"align":"center"} -->
<p class="has-text-align-center">From the first of <em>April</em>.</p>
<!-- /wp:paragraph --></div></div>
<!-- /wp:cover -->

<!-- wp:heading -->
<h2 class="wp-block-heading">About us</h2>
<!-- /wp:heading -->

<!-- wp:paragraph -->
<p>We dig.</p>
<!-- /wp:paragraph -->

<!-- wp:columns -->
<div class="wp-block-columns"><!-- wp:column {"width":"66.66%"} -->
<div class="wp-block-column" style="flex-basis:66.66%"><!-- wp:paragraph -->
<p>Left</p>
<!-- /wp:paragraph -->

<!-- wp:quote -->
<blockquote class="wp-block-quote"><!-- wp:paragraph -->
<p>So it goes</p>
<!-- /wp:paragraph --><cite>Kurt</cite></blockquote>
<!-- /wp:quote --></div>
<!-- /wp:column -->

<!-- wp:column {"width":"33.33%"} -->
<div class="wp-block-column" style="flex-basis:33.33%"><!-- wp:image {"id":${pictureId(1)},"sizeSlug":"large","linkDestination":"media"} -->
<figure class="wp-block-image size-large"><a href="${upload(1)}"><img src="${upload(1).replace(".png", "-300x200.png")}" alt="Green" class="wp-image-${pictureId(1)}"/></a><figcaption class="wp-element-caption">A field</figcaption></figure>
<!-- /wp:image --></div>
<!-- /wp:column --></div>
<!-- /wp:columns -->

<!-- wp:gallery {"linkTo":"none"} -->
<figure class="wp-block-gallery has-nested-images columns-default is-cropped"><!-- wp:image {"id":${pictureId(0)}} -->
<figure class="wp-block-image"><img src="${upload(0)}" alt="A field in 0 colours" class="wp-image-${pictureId(0)}"/><figcaption class="wp-element-caption">First</figcaption></figure>
<!-- /wp:image -->

<!-- wp:image {"id":${pictureId(1)}} -->
<figure class="wp-block-image"><img src="${upload(1)}" alt="" class="wp-image-${pictureId(1)}"/></figure>
<!-- /wp:image --><figcaption class="blocks-gallery-caption wp-element-caption">Two of them</figcaption></figure>
<!-- /wp:gallery -->

<!-- wp:buttons -->
<div class="wp-block-buttons"><!-- wp:button {"className":"is-style-outline"} -->
<div class="wp-block-button is-style-outline"><a class="wp-block-button__link wp-element-button" href="${HOME}/page-1/">The team</a></div>
<!-- /wp:button -->

<!-- wp:button -->
<div class="wp-block-button"><a class="wp-block-button__link wp-element-button" href="https://elsewhere.example/" target="_blank" rel="noreferrer noopener">Elsewhere</a></div>
<!-- /wp:button --></div>
<!-- /wp:buttons -->`;

/** The files of the old site. @returns the folder of uploads */
export async function uploads(): Promise<string> {
  const folder = await temporaryFolder();
  for (let at = 0; at < PICTURES; at++) {
    const file = join(folder, picturePath(at));
    await mkdir(dirname(file), { recursive: true });
    const background = { r: at * 40, g: 80, b: 120 };
    await writeFile(
      file,
      await sharp({ create: { width: 30, height: 20, channels: 3, background } })
        .png()
        .toBuffer(),
    );
  }
  return folder;
}
