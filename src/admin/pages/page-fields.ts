/** The fields that every page has, in the order of the form; `highlight_image`, `author`, `tags` and `content` are of articles. */
import type { FieldDefinition } from "../fields/definition.ts";
import type { TextKey } from "../texts/en.ts";

interface PageField extends Omit<FieldDefinition, "name" | "label" | "hint"> {
  readonly label: TextKey;
  readonly hint?: TextKey;
  /** Whether it has a value for each language, without fallback. */
  readonly isText?: true;
  /** A publication is not edited in the form. */
  readonly isVerb?: true;
}

export const PAGE_FIELDS: Readonly<Record<string, PageField>> = {
  title: { label: "title", isText: true, shown: 60 },
  permalink: { label: "address", isText: true },
  autopermalink: { label: "automaticAddress", isText: true, kind: "boolean" },
  description: { label: "description", isText: true, kind: "textarea", shown: 160 },
  template_data: { label: "content", isText: true },
  content: { label: "content", isText: true, kind: "text", isNeverNull: true },
  highlight_image: { label: "highlightImage", kind: "media" },
  author: { label: "author", kind: "ref", target_model: "auth.User" },
  tags: { label: "tags", kind: "queryset", target_model: "cms.Tag" },
  indexable: { label: "indexable", isText: true, kind: "boolean" },
  breadcrumbs_title: { label: "shortTitle", isText: true },
  keywords: { label: "keywords", isText: true },
  canonical: { label: "canonical", isText: true, hint: "canonicalHint" },
  robots: { label: "robots", isNeverNull: true },
  og_title: { label: "ogTitle", isText: true },
  og_description: { label: "ogDescription", isText: true, kind: "textarea" },
  og_type: { label: "ogType", isText: true },
  og_url: { label: "ogUrl", isText: true },
  og_image: { label: "ogImage", kind: "media" },
  parent_page: { label: "parentPage", kind: "ref", target_model: "cms.Page" },
  template: { label: "template" },
  paginate: { label: "paginate", kind: "group" },
  ordering: { label: "ordering", hint: "orderingHint", kind: "integer", minimum: 0 },
  identifier: { label: "identifier", hint: "identifierHint" },
  published_at: { label: "publishedAt", isText: true, isVerb: true },
};

const namesOf = (isWanted: (field: PageField) => boolean): readonly string[] =>
  Object.keys(PAGE_FIELDS).filter((name) => isWanted(PAGE_FIELDS[name]!));

/** What is edited, of one language and of all. */
export const TEXTS = namesOf(({ isText, isVerb }) => isText === true && !isVerb);
export const SHARED = namesOf(({ isText }) => !isText);
