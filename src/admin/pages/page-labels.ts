import type { TextKey } from "../texts/en.ts";

/** What the fields of every page are called, in the order of the form. */
export const PAGE_LABELS: Readonly<Record<string, TextKey>> = {
  title: "title",
  permalink: "address",
  autopermalink: "automaticAddress",
  description: "description",
  template_data: "content",
  content: "content",
  highlight_image: "highlightImage",
  author: "author",
  tags: "tags",
  indexable: "indexable",
  breadcrumbs_title: "shortTitle",
  keywords: "keywords",
  canonical: "canonical",
  robots: "robots",
  og_title: "ogTitle",
  og_description: "ogDescription",
  og_type: "ogType",
  og_url: "ogUrl",
  og_image: "ogImage",
  parent_page: "parentPage",
  template: "template",
  ordering: "ordering",
  identifier: "identifier",
  published_at: "publishedAt",
};
