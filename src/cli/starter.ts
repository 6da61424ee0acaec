/** What a new site begins with: settings and, for a bare one, the smallest set of templates that shows a page. */
import type { Lang } from "../model/locale.ts";

/** @param languages code and name, in order */
export const configText = (languages: readonly (readonly [Lang, string])[], defaultLanguage: Lang): string => `# The settings of this site. Only what differs from its default needs a line; docs/settings.md of git-cms lists the rest.
LANGUAGE_CODE: ${defaultLanguage}
LANGUAGES:
${languages.map(([code, name]) => `  ${code}: ${JSON.stringify(name)}`).join("\n")}
# Scheme and host in front of absolute URLs; without it the request's own are used.
# BASE_URL: https://www.example.org
`;

export const GITIGNORE = "dist/\nnode_modules/\n.env\n";
/** For a site that begins with the example: the renditions of its pictures are made when they are asked for. */
export const EXAMPLE_GITIGNORE = `${GITIGNORE}media/renditions/\nmedia/thumbnails/\n`;

/** Names of languages in themselves; a code without one stands for itself. */
export function languageName(code: Lang): string {
  const name = new Intl.DisplayNames([code], { type: "language" }).of(code) ?? code;
  return name.charAt(0).toLocaleUpperCase(code) + name.slice(1);
}

export const BARE_TEMPLATES: Readonly<Record<string, string>> = {
  "templates/defaults/base.html": `<!doctype html>
<html lang="{{ lang }}">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{% block title %}{{ page.title }}{% endblock %}</title>
  {% if page.description %}<meta name="description" content="{{ page.description }}">{% endif %}
  <style>
    body { font: 1.125rem/1.6 system-ui, sans-serif; max-width: 42rem; margin: 0 auto; padding: 2rem 1rem; }
    nav a { margin-right: 1rem; }
  </style>
</head>
<body>
  <nav>
    {% for crumb in page.breadcrumbs %}{% if not loop.last %}<a href="{{ crumb.permalink }}">{{ crumb.title }}</a>{% endif %}{% endfor %}
    {% for language in languages %}{% if page.alternates[language.id] %}<a href="{{ page.alternates[language.id] }}" lang="{{ language.id }}">{{ language.name }}</a>{% endif %}{% endfor %}
  </nav>
  <main>{% block content %}{% endblock %}</main>
</body>
</html>
`,
  "templates/defaults/pages/default.html": `{% extends "defaults/base.html" %}
{% block content %}
<h1>{{ page.title }}</h1>
{{ page.template_data.body | markdown }}
{% for child in pages_of(page) %}<p><a href="{{ child.routerlink }}">{{ child.title }}</a></p>{% endfor %}
{% endblock %}
`,
  "templates/404.html": `{% extends "defaults/base.html" %}
{% block title %}404{% endblock %}
{% block content %}<h1>404</h1>
<p><a href="{{ localized_url("/") }}">↩</a></p>{% endblock %}
`,
};
