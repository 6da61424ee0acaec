/** What OpenAPI says of the actions on pages, beyond those of every resource. */
import {
  byName,
  FLAG,
  ID,
  listOf,
  MOMENT,
  orNull,
  record,
  ref,
  TEXT,
  text,
  told,
  ANYTHING,
} from "../../../schema/json-schema.ts";
import type { Operation } from "../../openapi/operation.ts";
import type { ResourceSchemas } from "../../request/resource.ts";

export function pageOperations({ one, many, payload, input }: ResourceSchemas) {
  const write = { answer: payload, isLocalized: true, isVersioned: true } as const;
  const draft = { ...write, body: input };
  return {
    updateOrder: {
      summary: `Reorder ${many}`,
      description: "Moves the record `startId` to the place of `endId`.",
      body: record(
        {
          startId: ID,
          endId: ID,
          siblings: told("Whether only records with the same parent change their rank.", FLAG),
        },
        { optional: ["siblings"] },
      ),
      refusals: [404],
      answer: "Reordered",
    },
    changeDraft: { ...draft, summary: `Change the draft of ${one}`, description: "Merged into the pending draft." },
    replaceDraft: { ...draft, summary: `Replace the draft of ${one}`, description: "In place of the pending draft." },
    discardDraft: { ...write, summary: `Discard the draft of ${one}`, body: record({}), isBodyOptional: true },
    publish: {
      ...write,
      summary: `Publish ${one}`,
      description: "Publishes the active language now; its pending draft is applied.",
      body: record(
        { comment: told("For the history; what is not a text is kept as JSON.", ANYTHING) },
        { optional: "all" },
      ),
      isBodyOptional: true,
    },
    schedule: {
      ...write,
      summary: `Schedule ${one}`,
      description:
        "A language that was never public goes live at that moment; of a public one, the pending draft is applied then.",
      body: record(
        {
          publish_at: told("null: what is scheduled is cancelled, and the draft stays pending.", orNull(MOMENT)),
          with_draft: told("Whether the draft of a language that was never public is applied then, too.", orNull(FLAG)),
        },
        { optional: ["with_draft"] },
      ),
    },
    trash: {
      ...write,
      summary: `Move ${one} to the trash`,
      description: "Hides it in every language.",
      body: record({}),
      isBodyOptional: true,
    },
    restore: { ...write, summary: `Restore ${one} from the trash`, body: record({}), isBodyOptional: true },
    revert: {
      ...write,
      summary: `Revert ${one} to a revision`,
      body: record(
        {
          languages: told(
            "Whose texts alone are brought back, as public as they are now. Without it: everything, in all languages.",
            listOf(text("en")),
          ),
        },
        { optional: "all" },
      ),
      isBodyOptional: true,
      refusals: [501],
    },
    revisions: { summary: `List the revisions of ${one}`, answer: listOf(ref("Revision")), refusals: [501] },
    revision: {
      summary: `Read ${one} as it was at a revision`,
      description: "Without drafts; references are resolved to the present records.",
      answer: payload,
      isLocalized: true,
      refusals: [409, 501],
    },
    textChanges: {
      summary: `Read when each text of ${one} was changed last, by language`,
      description:
        "By the names of the fields, those of data as `template_data.lead`. Of a page with over 50 revisions, texts that are older have none.",
      answer: byName(byName(MOMENT, "By field."), "By language."),
      refusals: [501],
    },
    renderRevision: {
      summary: `Preview ${one} as HTML, as it was at a revision`,
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
      refusals: [409, 501],
    },
    previewTyped: {
      summary: `Preview ${one} as data, with values that are not saved`,
      body: input,
      answer: payload,
      isLocalized: true,
    },
    renderTyped: {
      summary: `Preview ${one} as HTML, with values that are not saved`,
      body: input,
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
    },
    preview: {
      summary: `Preview ${one} as data`,
      description: "With the pending draft of the active language.",
      answer: payload,
      isLocalized: true,
    },
    render: {
      summary: `Preview ${one} as HTML`,
      description: "With its template; the pending draft is `draft_data`.",
      answer: TEXT,
      type: "text/html",
      isLocalized: true,
    },
  } satisfies Record<string, Operation>;
}
