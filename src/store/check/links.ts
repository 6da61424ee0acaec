/**
 * References of menus, content blocks and data to missing records. They keep the id of a deleted record and show nothing
 * for it, so they are warnings: deleting a record in the editor does not stop the next deployment.
 */
import { LINK_TARGET, type Definitions } from "../../model/fields/definition.ts";
import { targetInWords } from "../../model/fields/field-target.ts";
import { referencesIn } from "../../model/fields/walk.ts";
import type { JsonObject } from "../../model/input/json.ts";
import { isUnsafe, UNSAFE_ADDRESS } from "../../model/address/link.ts";
import type { Locales } from "../../model/language/locale.ts";
import type { MenuNode } from "../../model/records/menu.ts";
import { nameOf } from "../../model/page/page.ts";
import type { Reader } from "../records/record-type.ts";
import { CONTENTS } from "../records/contents.ts";
import { MENUS } from "../records/menus.ts";
import { REDIRECTS, REDIRECTS_ID } from "../records/redirects.ts";
import { replacedPage } from "../content/indexes/page-index.ts";
import { hasTarget } from "../content/indexes/references.ts";
import { findPage } from "../content/indexes/pages-by-model.ts";
import type { KeyPath } from "../codec/codec.ts";
import type { Finding } from "./finding.ts";

export function* linkFindings(content: Reader, locales: Locales): Generator<Finding> {
  for (const { rows } of content.all(REDIRECTS)) {
    for (const [at, row] of rows.entries()) {
      const page = replacedPage(content, row, locales);
      const message =
        page &&
        `${row.from} is the address of "${nameOf(page, locales)}" (page ${page.id}): the redirect takes the place of the page.`;
      if (message) yield { kind: REDIRECTS, id: REDIRECTS_ID, path: [at, "from"], rule: "redirect", message };
    }
  }
  for (const menu of content.all(MENUS)) {
    for (const [lang, nodes] of Object.entries(menu.nodes)) {
      for (const found of brokenLinks(content, nodes, ["translations", lang, "nodes"]))
        yield { kind: MENUS, id: menu.id, ...found };
    }
  }
  for (const block of content.all(CONTENTS)) {
    if (block.page === null || findPage(content, block.page)) continue;
    yield {
      kind: CONTENTS,
      id: block.id,
      path: ["page"],
      severity: "warning",
      message: `There is no page ${block.page}: the block is shown nowhere.`,
    };
  }
}

/** A finding whose record is known to the caller. */
export type FoundLink = Pick<Finding, "path" | "draft" | "message" | "severity" | "rule">;

function* brokenLinks(content: Reader, nodes: readonly MenuNode[], above: KeyPath): Generator<FoundLink> {
  for (const [at, node] of nodes.entries()) {
    const { link } = node;
    if (link.link_type === "RE" && link.url_node !== null && !findPage(content, link.url_node)) {
      const message = `There is no page ${link.url_node}: the node has no URL.`;
      yield { path: [...above, at, "link", "url_node"], severity: "warning", message };
    } else if (isUnsafe(link)) {
      yield { path: [...above, at, "link", "static"], message: `${UNSAFE_ADDRESS} The node has no URL.` };
    }
    yield* brokenLinks(content, node.nodes ?? [], [...above, at, "nodes"]);
  }
}

/** References and links in data of a declared type. @param above the key path of the data */
export function* danglingIn(
  content: Reader,
  definitions: Definitions,
  data: JsonObject,
  above: KeyPath,
): Generator<FoundLink> {
  const exists = hasTarget(content);
  for (const { model, id, target, path } of referencesIn(definitions, data)) {
    if (exists({ model, id, target })) continue;
    if (target && exists({ model, id })) {
      const message = `${id} is none of the records ${targetInWords(target)}.`;
      yield { path: [...above, ...path], severity: "warning", rule: "missing-reference", message };
      continue;
    }
    const [what, effect] =
      model === LINK_TARGET ? ["page", "the link has no URL"] : [model, "null is shown in its place"];
    yield {
      path: [...above, ...path],
      severity: "warning",
      rule: "missing-reference",
      message: `There is no ${what} ${id}: ${effect}.`,
    };
  }
}
