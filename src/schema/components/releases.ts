/** Schemas of releases and preview links. */
import {
  RELEASE_ACTIONS,
  RELEASE_COMMENT_MAX,
  RELEASE_ITEMS_MAX,
  RELEASE_NAME,
  RELEASE_NAME_MAX,
} from "../../model/page/release.ts";
import { LINK_LIFE_MAX } from "../../model/page/preview-link.ts";
import * as s from "../json-schema.ts";
import type { SiteShape } from "../site-shape.ts";

export const NUMBERED_PERMALINK: s.Schemas = {
  page: s.ID,
  title: s.TEXT,
  language: s.TEXT,
  permalink: s.text("/boats-2"),
  plain: s.told("What it would be without a number.", s.text("/boats")),
  taken_by: s.told("The page that has that; null where it is reserved.", s.orNull(s.ID)),
};

export function releaseSchemas({ codes }: SiteShape): s.Schemas {
  const item = {
    page: s.told("Id of a page of any model.", s.ID),
    language: s.told("null for `trash`, which concerns all languages.", s.orNull(s.oneOfTexts(...codes))),
    action: s.oneOfTexts(...RELEASE_ACTIONS),
  };
  const shown = { ...item, title: s.told("Name of the page; null where there is none.", s.orNull(s.TEXT)) };
  const input = {
    name: s.told("The name of its file, and its address.", {
      type: "string",
      maxLength: RELEASE_NAME_MAX,
      pattern: RELEASE_NAME.source,
      examples: ["spring"],
    }),
    comment: s.told("For people; it becomes part of the commit.", { type: "string", maxLength: RELEASE_COMMENT_MAX }),
    publish_at: s.told("When it is published; null: not by itself.", s.orNull(s.MOMENT)),
    items: s.told("What happens to which pages.", {
      type: "array",
      maxItems: RELEASE_ITEMS_MAX,
      items: s.record(item, { optional: ["language", "action"] }),
    }),
  };
  const example = { name: "spring", items: [{ page: 12, language: codes[0], action: "publish" }] };
  const release = s.recordOf("Changes of pages that go live together.", {
    id: s.ID,
    name: input.name,
    comment: s.TEXT,
    state: s.oneOfTexts("open", "scheduled", "published"),
    publish_at: input.publish_at,
    published_at: s.told("When it was published; null before, and after it was taken back.", s.orNull(s.MOMENT)),
    items: s.listOf(s.record(shown)),
  });
  return {
    Release: release,
    NewRelease: s.told(
      "A new release.",
      s.withExample(s.record(input, { optional: ["comment", "publish_at", "items"] }), example),
    ),
    ReleaseInput: s.told("A release, as it is written.", s.withExample(s.record(input, { optional: "all" }), example)),
    ReleaseCheck: s.recordOf("What a release would do.", {
      ok: s.told("Whether it could be published now.", s.FLAG),
      refusal: s.told("Why it fails as a whole.", s.orNull(s.TEXT)),
      failed: s.told("Items that fail.", s.listOf(s.record({ ...shown, errors: s.ref("FieldErrors") }))),
      idle: s.told("Items that change nothing.", s.listOf(s.record(shown))),
      overlaps: s.told(
        "Items of other releases that change the same fields.",
        s.listOf(
          s.record({
            release: s.TEXT,
            publish_at: s.orNull(s.MOMENT),
            ...shown,
            fields: s.listOf(s.text("title_en")),
          }),
        ),
      ),
      numbered_permalinks: s.told(
        "Pages that get a permalink with a number because another page has the plain one.",
        s.listOf(s.record(NUMBERED_PERMALINK)),
      ),
    }),
    ReleaseReversal: s.recordOf("A release that was taken back, and what was changed since in another way.", {
      release: s.ref("Release"),
      conflicts: s.listOf(
        s.record({
          kind: s.oneOfTexts("field", "deleted", "file"),
          path: s.told("The file.", s.TEXT),
          field: s.orNull(s.TEXT),
          language: s.orNull(s.TEXT),
          drafted: s.told("Whether the value before the release is in the draft of the page.", s.FLAG),
        }),
      ),
    }),
    ...linkSchemas(codes),
  };
}

function linkSchemas(codes: readonly string[]): s.Schemas {
  const contexts = {
    at: s.told("As the parameter `at` of reads.", s.orNull(s.text("v1.4"))),
    as_of: s.told("As the parameter `as_of` of reads.", s.orNull(s.MOMENT)),
    release: s.told("Name of a release.", s.orNull(s.text("spring"))),
  };
  return {
    NewPreviewLink: s.told(
      "What a preview link shows: a page, and one of `at`, `as_of` and `release`.",
      s.withExample(
        s.record(
          {
            page: s.ID,
            at: s.text("v1.4"),
            as_of: s.MOMENT,
            release: s.text("spring"),
            expires_at: s.told(`Within ${LINK_LIFE_MAX} days.`, s.MOMENT),
          },
          { optional: ["at", "as_of", "release"] },
        ),
        { page: 12, release: "spring", expires_at: "2027-01-31T12:00:00Z" },
      ),
    ),
    PreviewLink: s.recordOf("An address that shows a page without an account.", {
      id: s.TEXT,
      url: s.told("Anyone who has it sees the page.", s.TEXT),
      page: s.ID,
      language: s.oneOfTexts(...codes),
      title: s.orNull(s.TEXT),
      ...contexts,
      expires_at: s.MOMENT,
      created_at: s.MOMENT,
      created_by: s.told("User name.", s.orNull(s.TEXT)),
    }),
  };
}
