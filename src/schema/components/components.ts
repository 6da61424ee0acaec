/** All schemas of the API of a site by name, as the description of the API and the types of a site use them. */
import { mediaSchemas } from "./media.ts";
import { metaSchemas } from "./meta.ts";
import { pageSchemas } from "./pages.ts";
import { SERVICE_SCHEMAS } from "./service.ts";
import { recordSchemas, structureSchemas } from "./structure.ts";
import { listOf, oneOfTexts, orNull, record, TEXT, told, type Schemas } from "../json-schema.ts";
import type { SiteShape } from "../site-shape.ts";

export const componentsOf = (site: SiteShape): Schemas => ({
  ...pageSchemas(site),
  ...recordSchemas(site),
  ...structureSchemas(site),
  ...mediaSchemas(site),
  ...metaSchemas(site),
  Languages: record(
    {
      language_code: told("The default language.", oneOfTexts(...site.codes)),
      languages: listOf(record({ id: oneOfTexts(...site.codes), name: TEXT })),
      site_name: told("SITE_NAME, else the title of the public home page in the default language.", orNull(TEXT)),
    },
    { optional: ["site_name"] },
  ),
  ...SERVICE_SCHEMAS,
});
