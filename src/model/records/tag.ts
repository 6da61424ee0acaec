/** Tags of articles: a name in each language. */
import type { RecordDeclaration } from "./record.ts";

export const TAG = {
  name: "Tag",
  label: "tag",
  path: "tags",
  fields: [
    {
      name: "name",
      help: "The name of the tag, unique in its language.",
      type: "text",
      translated: true,
      max: 200,
      default: null,
      nullable: true,
      required: true,
      unique: true,
    },
  ],
  title: "name",
  search: ["name"],
  order: ["-id"],
} as const satisfies RecordDeclaration;
