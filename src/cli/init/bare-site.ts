/** Files of a bare site: a home page in every language, and one small template for each page model. */
import type { Lang } from "../../model/language/locale.ts";

/** @param site the site's name, as its pages show it */
export const bareTemplates = (site: string): Readonly<Record<string, string>> => ({
  "templates/defaults/base.html": `{% set site = ${JSON.stringify(site)} %}
{% set home = localized_url("/") %}
<!doctype html>
<html lang="{{ lang }}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{% block title %}{% if page.title and page.title != site %}{{ page.title }}{% if pagination.group %}: {{ pagination.group.title }}{% endif %}{% if pagination.number > 1 %} ({{ pagination.number }}){% endif %} · {% endif %}{{ site }}{% endblock %}</title>
  {%- if page.description %}
  <meta name="description" content="{{ page.description }}">
  {%- endif %}
  {%- if page.canonical or pagination %}
  <link rel="canonical" href="{{ page.canonical or page.routerlink }}">
  {%- endif %}
  {%- if pagination.previous %}
  <link rel="prev" href="{{ pagination.previous }}">
  {%- endif %}
  {%- if pagination.next %}
  <link rel="next" href="{{ pagination.next }}">
  {%- endif %}
  {%- if page.robots %}
  <meta name="robots" content="{{ page.robots }}">
  {%- endif %}
  {%- if not page or page.indexable == false %}
  <meta name="robots" content="noindex">
  {%- endif %}
  <meta name="color-scheme" content="light dark">
  <style>
    :root { --ink: #1d2428; --soft: #5b676d; --paper: #fbfaf7; --line: #e0ddd4; --accent: #0b6a6f; }
    @media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --soft: #a3adb1; --paper: #14191c; --line: #2b3439; --accent: #6fc7c6; } }
    * { box-sizing: border-box; }
    body { margin: 0; background: var(--paper); color: var(--ink); font: 1.125rem/1.65 Charter, "Bitstream Charter", Cambria, Georgia, serif; }
    .top, main, footer { max-width: 44rem; margin: 0 auto; padding: 0 1.5rem; }
    .top { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: baseline; padding-top: 1.75rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line); font-family: system-ui, sans-serif; font-size: .95rem; }
    .site { font-weight: 650; color: var(--ink); text-decoration: none; margin-right: auto; overflow-wrap: anywhere; }
    nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1rem; list-style: none; margin: 0; padding: 0; }
    a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
    main { padding-top: 2.5rem; padding-bottom: 4rem; }
    .crumbs, .date, footer { font-family: system-ui, sans-serif; font-size: .85rem; color: var(--soft); }
    h1 { font-size: clamp(2rem, 6vw, 2.9rem); line-height: 1.12; letter-spacing: -.02em; margin: .4rem 0 1.25rem; text-wrap: balance; overflow-wrap: break-word; }
    h2 { font-size: 1.4rem; line-height: 1.25; margin: 2.5rem 0 .75rem; }
    .lead { font-size: 1.3rem; line-height: 1.5; color: var(--soft); margin-top: 0; }
    img { max-width: 100%; height: auto; border-radius: .25rem; }
    figure { margin: 0 0 2rem; }
    pre, code { font: .88em/1.5 ui-monospace, Menlo, Consolas, monospace; }
    code { background: color-mix(in srgb, var(--line) 55%, transparent); padding: .1em .35em; border-radius: .25em; }
    pre { overflow: auto; padding: 1rem; border: 1px solid var(--line); border-radius: .35rem; }
    pre code { background: none; padding: 0; }
    blockquote { margin: 1.5rem 0; padding-left: 1.25rem; border-left: 3px solid var(--accent); color: var(--soft); }
    .list { list-style: none; margin: 2.5rem 0 0; padding: 0; }
    .list li { border-top: 1px solid var(--line); padding: .9rem 0; }
    .list a { font-size: 1.15rem; text-decoration: none; }
    .list p { margin: .2rem 0 0; color: var(--soft); font-size: 1rem; }
    .tags { display: flex; flex-wrap: wrap; gap: .5rem; list-style: none; padding: 0; margin: 2.5rem 0 0; }
    .tags li { font: .85rem/1 system-ui, sans-serif; border: 1px solid var(--line); border-radius: 2em; padding: .45em .9em; color: var(--soft); }
    footer { border-top: 1px solid var(--line); padding-top: 1.25rem; padding-bottom: 2.5rem; }
  </style>
</head>
<body>
  <header class="top">
    <a class="site" href="{{ home }}">{{ site }}</a>
    {{ render_menu("main") }}
    {%- if page and languages.length > 1 %}
    <nav aria-label="Languages">
      <ul>
        {%- for language in languages %}
        {%- if language.id == lang %}
        <li aria-current="true" lang="{{ language.id }}">{{ language.name }}</li>
        {%- elif page.alternates[language.id] %}
        <li><a href="{{ page.alternates[language.id] }}" hreflang="{{ language.id }}" lang="{{ language.id }}">{{ language.name }}</a></li>
        {%- endif %}
        {%- endfor %}
      </ul>
    </nav>
    {%- endif %}
  </header>
  <main>
    {%- if page.breadcrumbs.length > 1 %}
    <p class="crumbs">{% for crumb in page.breadcrumbs %}{% if not loop.last %}<a href="{{ crumb.permalink }}">{{ crumb.title }}</a> / {% endif %}{% endfor %}</p>
    {%- endif %}
    {% block content %}{% endblock %}
  </main>
  <footer>{{ site }}</footer>
</body>
</html>
`,
  "templates/defaults/pages/default.html": `{#-
  Every page that names no template of its own, those of custom page models included. \`template_data\` may hold: lead, body
  (Markdown). Pages below this one are listed; on the home page the articles are.
-#}
{% extends "defaults/base.html" %}
{% block content %}
<h1{{ cms_field("title") }}>{{ page.title }}</h1>
{% if page.template_data.lead %}<p class="lead"{{ cms_field("template_data.lead") }}>{{ page.template_data.lead }}</p>{% endif %}
{% if page.og_image %}<figure>{{ media_picture(page.og_image) }}</figure>{% endif %}
{{ page.template_data.body | markdown }}
{% set below = pages_of(page) %}
{% if page.permalink == "/" %}{% set below = below.concat(articles()) %}{% endif %}
{% if below.length %}
<ul class="list">
  {% for each in below %}
  <li><a href="{{ each.routerlink }}">{{ each.title }}</a>{% if each.description %}<p>{{ each.description }}</p>{% endif %}</li>
  {% endfor %}
</ul>
{% endif %}
{% endblock %}
`,
  "templates/defaults/articles/default.html": `{#- Every article that names no template of its own: \`content\` is Markdown. -#}
{% extends "defaults/base.html" %}
{% block content %}
<article>
  <p class="date">
    {%- if page.published_at %}<time datetime="{{ page.published_at }}">{{ page.published_at.slice(0, 10) }}</time>{% endif %}
    {%- if page.author %} · {{ (page.author.first_name + " " + page.author.last_name) | trim or page.author.username }}{% endif -%}
  </p>
  <h1>{{ page.title }}</h1>
  {% if page.description %}<p class="lead">{{ page.description }}</p>{% endif %}
  {% set image = page.highlight_image or page.og_image %}
  {% if image %}<figure>{{ media_picture(image) }}</figure>{% endif %}
  {{ page.content | markdown }}
  {% if page.tags.length %}<ul class="tags">{% for tag in page.tags %}<li>{{ tag.name }}</li>{% endfor %}</ul>{% endif %}
</article>
{% endblock %}
`,
  "templates/defaults/parts/menu.html": `{#- What \`render_menu(key)\` shows of a menu. -#}
<nav aria-label="{{ menu.key }}">
  <ul>
    {%- for node in menu.nodes %}
    <li>{% if node.link.url %}<a href="{{ node.link.url }}">{{ node.title }}</a>{% else %}{{ node.title }}{% endif %}</li>
    {%- endfor %}
  </ul>
</nav>
`,
  "templates/404.html": `{% extends "defaults/base.html" %}
{% block title %}404 · {{ site }}{% endblock %}
{% block content %}
<p class="date">404</p>
<h1>{{ request.path if request and request.path else "404" }}</h1>
<p><a href="{{ home }}">← {{ site }}</a></p>
{% endblock %}
`,
});

/** The text of the home page; in English for other languages. */
const WELCOME: Readonly<Record<string, { readonly lead: string; readonly body: string }>> = {
  en: {
    lead: "This is the first page of a new site.",
    body: "Its text is in `content/pages/home.yaml`, and how it looks in `templates/`. Edit either, and reload.\n\nArticles, and pages whose parent is this one, appear here as soon as they are published.",
  },
  it: {
    lead: "Questa è la prima pagina di un nuovo sito.",
    body: "Il testo è in `content/pages/home.yaml`, l'aspetto in `templates/`. Modificali e ricarica la pagina.\n\nGli articoli, e le pagine che stanno sotto questa, compaiono qui appena sono pubblicati.",
  },
};

/**
 * The home page, published in every language.
 *
 * @param at its publication date
 */
export function homePage(languages: readonly Lang[], site: string, at: string): string {
  const texts = languages.map((lang) => {
    const { lead, body } = WELCOME[lang.toLowerCase().split("-")[0]!] ?? WELCOME.en!;
    const values = { title: site, permalink: "/", autopermalink: false, published_at: at };
    const lines = Object.entries(values).map(
      ([key, value]) => `    ${key}: ${key === "title" ? JSON.stringify(value) : value}\n`,
    );
    return `  ${lang}:\n${lines.join("")}    template_data:\n      lead: ${JSON.stringify(lead)}\n      body: ${JSON.stringify(body)}\n`;
  });
  return `id: 1\ntranslations:\n${texts.join("")}date_created: ${at}\n`;
}
