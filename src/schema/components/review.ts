/** Schemas of threads and reviews. */
import { COMMENT_MAX } from "../../model/review/thread.ts";
import { PASSAGE_MAX } from "../../model/review/passage.ts";
import { RELEASE_ACTIONS } from "../../model/page/release.ts";
import { VERDICTS } from "../../model/review/review.ts";
import { REVIEW_STATES } from "../../store/content/indexes/reviews.ts";
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

const PERSON_FIELDS: s.Schemas = {
  by: s.told("User name.", s.text("anna")),
  name: s.told("What the account was called then.", s.text("Anna Bianchi")),
};

export function reviewSchemas({ codes }: SiteShape): s.Schemas {
  return { ...threadSchemas(codes), ...proposalSchemas(codes) };
}

function proposalSchemas(codes: readonly string[]): s.Schemas {
  const item = { page: s.ID, language: s.told("null for `trash`.", s.orNull(s.oneOfTexts(...codes))) };
  const asked = s.told(
    "User names, and roles as role:editor; empty: whoever may publish.",
    s.listOf(s.text("bruno", "role:editor")),
  );
  const title = s.told("What it is called in lists; by default the names of its pages.", s.TEXT);
  const release = s.told("Name of the release that is proposed as a whole.", s.orNull(s.text("spring")));
  const verdict = s.told("`changes`: they are asked for.", s.oneOfTexts(...VERDICTS));
  const comment = s.told("For the proposer; needed with `changes`.", s.TEXT);
  return {
    NewReview: s.withExample(
      s.record(
        { title, asked, release, items: s.listOf(s.record(item, { optional: ["language"] })) },
        { optional: "all", description: "Drafts, or a release, that are proposed." },
      ),
      { items: [{ page: 12, language: codes[0] }], asked: ["bruno"] },
    ),
    ReviewDecision: s.withExample(
      s.record(
        {
          verdict,
          hash: s.told("`hash` of the review as it was seen.", s.TEXT),
          comment,
          draft: s.told(
            "Edits that the approval brings: the values of the whole draft.",
            s.record({ ...item, values: s.ANY_OBJECT }, { optional: ["language"] }),
          ),
        },
        { optional: ["comment", "draft"], description: "A decision on what is proposed." },
      ),
      { verdict: "approve", hash: "9c56cc51b374c3ba189210d5b6d4bf57" },
    ),
    PageReview: s.recordOf("What stands between a draft and its publication.", {
      required: s.told("How many approvals it needs.", s.COUNT),
      approved_by: s.told("Who has approved the draft as it is now.", s.listOf(s.TEXT)),
      may_publish: s.told("Whether the rights of the caller suffice, apart from approvals.", s.FLAG),
      may_propose: s.FLAG,
      reason: s.told("Why the caller may not publish.", s.orNull(s.TEXT)),
      may_not_edit: s.told("Why the caller may change nothing; null: something at least.", s.orNull(s.TEXT)),
      may_not_trash: s.told("Why the caller may not move the page to the trash.", s.orNull(s.TEXT)),
      fields: s.told("The fields that the caller may change; null: all.", s.orNull(s.listOf(s.TEXT))),
      review: { anyOf: [s.ref("Review"), { type: "null" }] },
    }),
    Review: s.recordOf("What somebody proposes to publish, and what others decided.", {
      id: s.ID,
      name: s.told("The name of its file, and its address.", s.text("about-us-1a")),
      title,
      by: s.told("User name of the proposer.", s.text("anna")),
      proposer: s.told("What the proposer was called then.", s.text("Anna Bianchi")),
      at: s.told("When it was last proposed.", s.MOMENT),
      release,
      asked,
      state: s.told(
        "`changes`: they were asked for, and the drafts are as they were then. `done`: nothing is left to publish.",
        s.oneOfTexts(...REVIEW_STATES),
      ),
      hash: s.told("Of the drafts as they are now, for a decision.", s.TEXT),
      items: s.listOf(
        s.record({
          ...item,
          title: s.told("Name of the page.", s.orNull(s.TEXT)),
          model: s.orNull(s.TEXT),
          action: s.oneOfTexts(...RELEASE_ACTIONS),
          required: s.told("How many approvals it needs.", s.COUNT),
          approved_by: s.told("Who has approved the draft as it is now.", s.listOf(s.TEXT)),
        }),
      ),
      decisions: s.listOf(
        s.record({
          id: s.ID,
          ...PERSON_FIELDS,
          at: s.MOMENT,
          verdict,
          comment: s.TEXT,
          holds: s.told("Whether it is about the drafts as they are now.", s.FLAG),
        }),
      ),
    }),
  };
}

function threadSchemas(codes: readonly string[]): s.Schemas {
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
