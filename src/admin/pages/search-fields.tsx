/** What search engines and social networks show of a page. */
import { ReferenceField } from "../fields/reference-fields.tsx";
import { text } from "../i18n.ts";
import { SocialCard } from "./social-card.tsx";
import { FlagInput, LongInput, TextInput } from "./page-inputs.tsx";
import type { PageState } from "./page-state.ts";

export function SearchFields({ page }: { page: PageState }) {
  const { title, description, og_title: ogTitle, og_description: ogDescription } = page.values.value;
  return (
    <details>
      <summary>{text("searchAndSocial")}</summary>
      <figure class="snippet">
        <figcaption>{text("searchResult")}</figcaption>
        <p>{page.record.value.routerlink}</p>
        <strong>{String(ogTitle || title || "")}</strong>
        <p>{String(ogDescription || description || "")}</p>
      </figure>
      <SocialCard page={page} />
      <FlagInput page={page} name="indexable" label={text("indexable")} />
      <TextInput page={page} name="breadcrumbs_title" label={text("shortTitle")} />
      <TextInput page={page} name="keywords" label={text("keywords")} />
      <TextInput page={page} name="canonical" label={text("canonical")} hint={text("canonicalHint")} />
      <TextInput page={page} name="robots" label={text("robots")} />
      <TextInput page={page} name="og_title" label={text("ogTitle")} />
      <LongInput page={page} name="og_description" label={text("ogDescription")} />
      <TextInput page={page} name="og_type" label={text("ogType")} />
      <TextInput page={page} name="og_url" label={text("ogUrl")} />
      <ReferenceField
        definition={{ name: "og_image", label: text("ogImage"), kind: "media" }}
        path="og_image"
        value={page.values.value.og_image}
        onChange={(value) => page.set("og_image", value)}
      />
    </details>
  );
}
