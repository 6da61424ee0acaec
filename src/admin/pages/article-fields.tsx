/** The fields that only articles have. */
import { MarkdownField } from "../fields/markdown-field.tsx";
import { ReferenceField, ReferencesField } from "../fields/reference-fields.tsx";
import { text } from "../i18n.ts";
import type { PageState } from "./page-state.ts";

export function ArticleFields({ page }: { page: PageState }) {
  const { content, tags, highlight_image: image, author } = page.values.value;
  return (
    <>
      <MarkdownField
        path="content"
        label={text("text")}
        value={String(content ?? "")}
        onChange={(typed) => page.set("content", typed)}
      />
      <ReferencesField
        definition={{ name: "tags", label: text("tags"), kind: "queryset", target_model: "cms.Tag" }}
        path="tags"
        value={tags}
        onChange={(value) => page.set("tags", value)}
      />
      <ReferenceField
        definition={{ name: "highlight_image", label: text("highlightImage"), kind: "media" }}
        path="highlight_image"
        value={image}
        onChange={(value) => page.set("highlight_image", value)}
      />
      <ReferenceField
        definition={{ name: "author", label: text("author"), kind: "ref", target_model: "auth.User" }}
        path="author"
        value={author}
        onChange={(value) => page.set("author", value)}
      />
    </>
  );
}
