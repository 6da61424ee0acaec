/** Schemas of the files of threads and reviews. */
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
