/** Schemas of threads and reviews. */
import { COMMENT_MAX } from "../../model/review/thread.ts";
import { PASSAGE_MAX } from "../../model/review/passage.ts";
import * as s from "../json-schema.ts";
import type { SiteShape } from "../site-shape.ts";

const LANGUAGE_HELP = "The language of the text.";

const passage = s.record(
  {
    text: s.told("The words.", { type: "string", maxLength: PASSAGE_MAX }),
    before: s.told("The text directly before them.", { type: "string", maxLength: PASSAGE_MAX }),
    after: s.told("The text directly after them.", { type: "string", maxLength: PASSAGE_MAX }),
  },
  { optional: ["before", "after"] },
);

const comment = {
  text: s.told("Plain text; `@name` mentions an account.", { type: "string", maxLength: COMMENT_MAX }),
};

export const PERSON_FIELDS: s.Schemas = {
  by: s.told("User name.", s.text("anna")),
  name: s.told("What the account was called then.", s.text("Anna Bianchi")),
};

export function reviewSchemas({ codes }: SiteShape): s.Schemas {
  const field = s.told(
    "Names and indexes joined by dots; empty for the page itself.",
    s.text("template_data.sections.0.text"),
  );
  const about = s.told("null for the whole field.", s.orNull(passage));
  return {
    CommentInput: s.record(comment, { description: "A comment." }),
    NewThread: s.withExample(
      s.record(
        { page: s.ID, field, passage: about, ...comment },
        { optional: ["field", "passage"], description: "A comment that opens a thread." },
      ),
      { page: 12, field: "content", passage: { text: "since 1950" }, text: "Is this the right year, @bruno?" },
    ),
    Thread: s.recordOf("Comments at a field of a page, or at a passage of it.", {
      id: s.ID,
      page: s.ID,
      title: s.told("Name of the page.", s.orNull(s.TEXT)),
      model: s.told("Page model of the page.", s.orNull(s.TEXT)),
      language: s.told(LANGUAGE_HELP, s.oneOfTexts(...codes)),
      field,
      passage: about,
      resolved_at: s.orNull(s.MOMENT),
      comments: s.listOf(
        s.record({
          id: s.ID,
          ...PERSON_FIELDS,
          at: s.MOMENT,
          edited_at: s.told("When its author last changed it.", s.orNull(s.MOMENT)),
          text: s.TEXT,
        }),
      ),
    }),
  };
}
