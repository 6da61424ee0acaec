/** The site that is synchronised: pages in two languages. */

export const LANGUAGES = ["en", "it"];
/** Texts of one line, which both live pages and drafts have. */
export const FIELDS = ["title", "description", "keywords"];

/** By path, the files of a site with pages 1 to `count`. */
export const siteFiles = (count) => ({
  "cms.config.yaml": "LANGUAGES: { en: English, it: Italiano }\n",
  ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`content/pages/page-${at + 1}.yaml`, page(at + 1)])),
});

const page = (id) => `id: ${id}
date_created: 2026-01-01T00:00:00.000Z
translations:
  en:
    title: Page ${id}
    permalink: /page-${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
  it:
    title: Pagina ${id}
    permalink: /pagina-${id}
    autopermalink: false
    published_at: 2026-01-01T00:00:00.000Z
`;
