/** Menus: for each language a tree of titled links. */
import type { JsonObject } from "./json.ts";
import type { Lang } from "./locale.ts";
import type { Link } from "./link.ts";
import type { Id } from "./page.ts";

export interface MenuNode {
  readonly title: string | null;
  readonly link: Link;
  readonly meta: JsonObject;
  readonly nodes: readonly MenuNode[];
}

export interface Menu {
  readonly id: Id;
  /** Unique; how templates and front ends ask for it. */
  readonly key: string;
  readonly enabled: boolean;
  readonly nodes: { readonly [lang: Lang]: readonly MenuNode[] };
}
