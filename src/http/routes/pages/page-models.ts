/** What a form for pages needs: the page models of the site with their schemas, and the templates to choose from. */
import { relatedName } from "../../../model/page/content-type.ts";
import type { PageModel } from "../../../model/page/page-model.ts";
import { storedPaginate } from "../../../model/page/paginate.ts";
import { listOf, ref, text } from "../../../schema/json-schema.ts";
import { PAGE_MODELS } from "../../../store/records/page-models.ts";
import { json } from "../../request/reply.ts";
import { get, type Access, type Route } from "../../app/route.ts";

const STAFF: Access = { staff: true };

export const pageModelRoutes: readonly Route[] = [
  get("page-models", STAFF, ({ ctx }) => json([...ctx.store.current.all(PAGE_MODELS)].map(payload)), {
    summary: "List the page models of the site",
    description: "With the definitions of their `template_data`, as meta types have them.",
    answer: listOf(ref("PageModel")),
  }),
  get("templates", STAFF, ({ ctx }) => json([...ctx.templates.list()].sort()), {
    summary: "List the templates of the site",
    description: "Paths below templates/, one of which a page may name.",
    answer: listOf(text("pages/room.html")),
  }),
];

const payload = ({ name, schema, parent_page_field, default_template, paginate }: PageModel) => ({
  name,
  related_name: relatedName(name),
  parent_page_field,
  default_template,
  paginate: paginate && storedPaginate(paginate),
  schema,
});
