/** A kind of section that the site declares: what editors are offered, and the fields of its blocks. */
import type { BlockType } from "../fields/blocks.ts";
import type { FieldRow } from "../input/field.ts";
import type { Id } from "../input/id.ts";

export interface DeclaredBlockType extends BlockType {
  readonly id: Id;
  readonly label: string;
  /** What the block is for; "" for nothing. */
  readonly description: string;
  /** One of `BLOCK_ICONS`. */
  readonly icon: string;
  /** Path below templates/; "" for `blocks/<name>.html`. */
  readonly template: string;
  /** Path of a picture below media/ that shows what a block looks like; "" for none. */
  readonly preview: string;
}

export const BLOCK_ICONS: readonly string[] = [
  "block",
  "hero",
  "text",
  "heading",
  "image",
  "gallery",
  "video",
  "quote",
  "button",
  "columns",
  "list",
  "table",
  "people",
  "calendar",
  "map",
  "form",
  "code",
  "question",
];

export const BLOCK_TYPE_FIELDS: readonly FieldRow[] = [
  { name: "label", type: "text", max: 200, help: "What editors call the block; made from the name by default." },
  { name: "description", type: "text", help: "What the block is for." },
  {
    name: "icon",
    type: "text",
    help: `What editors see beside the label: ${BLOCK_ICONS.join(", ")}.`,
    check: (icon) =>
      BLOCK_ICONS.includes(icon) ? undefined : `There is no icon "${icon}": ${BLOCK_ICONS.join(", ")}.`,
  },
  { name: "category", type: "text", max: 100, help: "The heading under which editors find the block." },
  { name: "template", type: "text", max: 200, help: "Template below templates/; `blocks/<name>.html` by default." },
  { name: "preview", type: "text", max: 500, help: "Picture below media/ that shows what the block looks like." },
];

/** Where the template of a type is that names none, below templates/. */
export const blockTemplate = (type: string): string => `blocks/${type}.html`;
