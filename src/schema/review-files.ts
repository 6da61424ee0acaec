/** Schemas of the files of threads and reviews. */
import { RELEASE_ACTIONS } from "../model/page/release.ts";
import { VERDICTS } from "../model/review/review.ts";
import { FILE_ID, fileMoment, fileSchema, mapping } from "./file-schema.ts";
import * as s from "./json-schema.ts";
import type { SiteShape } from "./site-shape.ts";

/** The author of a row: written by the program. */
const SIGNED: s.Schemas = { id: s.ID, by: s.told("User name.", s.TEXT), name: s.TEXT };

export const threadFile = (site: SiteShape): s.Schema =>
  fileSchema(
    "Thread",
    "Comments at a field of a page, or at a passage of it.",
    mapping(
      {
        id: FILE_ID,
        page: s.told("Id of the page.", s.ID),
        language: s.told("The default language without it.", s.oneOfTexts(...site.codes)),
        field: s.told("Names and indexes joined by dots.", s.TEXT),
        passage: mapping({ text: s.TEXT, before: s.TEXT, after: s.TEXT }, ["text"]),
        resolved_at: fileMoment("When it was resolved.", site),
        comments: s.listOf(
          mapping(
            {
              ...SIGNED,
              at: fileMoment("When it was written.", site),
              edited_at: fileMoment("When it was last changed.", site),
              text: s.TEXT,
            },
            ["id", "by", "text"],
          ),
        ),
      },
      ["page", "comments"],
    ),
  );

export const reviewFile = (site: SiteShape): s.Schema =>
  fileSchema(
    "Review",
    "What somebody proposes to publish, and what others decided. The program writes it.",
    mapping(
      {
        id: FILE_ID,
        title: s.TEXT,
        by: s.told("User name of the proposer.", s.TEXT),
        name: s.TEXT,
        at: fileMoment("When it was last proposed.", site),
        release: s.told("Name of the release that it is about as a whole.", s.orNull(s.TEXT)),
        asked: s.told("User names, and roles as role:editor.", s.listOf(s.TEXT)),
        items: s.listOf(
          mapping(
            {
              page: s.told("Id of the page.", s.ID),
              language: s.orNull(s.oneOfTexts(...site.codes)),
              action: s.oneOfTexts(...RELEASE_ACTIONS),
              hash: s.told("Of the draft as it was seen last.", s.TEXT),
              authors: s.told("Addresses of those who wrote the draft.", s.listOf(s.TEXT)),
            },
            ["page"],
          ),
        ),
        decisions: s.listOf(
          mapping(
            {
              ...SIGNED,
              email: s.TEXT,
              at: fileMoment("When it was made.", site),
              verdict: s.oneOfTexts(...VERDICTS),
              hash: s.told("Of all items, as they were decided on.", s.TEXT),
              comment: s.TEXT,
            },
            ["id", "by", "verdict", "hash"],
          ),
        ),
      },
      ["items"],
    ),
  );
