/** OPTIONS of a collection describes the form of a record, for clients that build their forms from it. */
import { describe, expect, it } from "vitest";
import { memorySite } from "../../site.ts";

interface Described {
  readonly lang_info: Record<string, unknown> & { readonly translatable_fields: readonly string[] };
  readonly schema: {
    readonly properties: Record<string, Record<string, unknown>>;
    readonly required: readonly string[];
  };
}

async function described(path: string): Promise<Described> {
  const { ask } = await memorySite();
  return (await ask("OPTIONS", path, { as: "superuser" })).body as unknown as Described;
}

describe("OPTIONS of a collection", () => {
  it("tells the languages and which fields have them", async () => {
    const { lang_info } = await described("api:pages/");
    expect(lang_info).toMatchObject({
      default: "en",
      translatable: true,
      languages: ["en", "it"],
      site_languages: [
        { id: "en", name: "English" },
        { id: "it", name: "Italiano" },
      ],
      accessor: "translations",
    });
    expect(lang_info.translatable_fields).toEqual(expect.arrayContaining(["title", "permalink", "template_data"]));
    expect(lang_info.translatable_fields).not.toContain("parent_page");
  });

  // oxfmt-ignore
  it.each([
    ["pages/",       "title",         { type: "string", title: "Title", translatable: true, maxLength: 200 }],
    ["pages/",       "description",   { type: "string", format: "textarea", translatable: true }],
    ["pages/",       "published_at",  { type: "string", format: "date-time", translatable: true }],
    ["pages/",       "status",        { type: "string", readOnly: true, enum: ["DRF", "PUB", "PLA", "TRS"] }],
    ["pages/",       "id",            { type: "integer", readOnly: true }],
    ["pages/",       "parent_page",   { type: "relation", model: "cms.Page", multiple: false, endpoint: "/api/cms/pages/" }],
    ["articles/",    "tags",          { type: "relation", model: "cms.Tag", multiple: true, endpoint: "/api/cms/tags/" }],
    ["articles/",    "author",        { type: "relation", model: "auth.User", multiple: false, endpoint: "/api/cms/users/" }],
    ["tags/",        "name",          { type: "string", translatable: true, maxLength: 200 }],
    ["media/",       "alt_text",      { type: "string", translatable: true }],
    ["media/",       "size",          { type: "integer", readOnly: true }],
    ["media-folder/", "title",        { type: "string" }],
    ["menus/",       "nodes",         { type: "array", translatable: true }],
    ["users/",       "password",      { type: "string", format: "password" }],
  ])("%s has %s", async (path, name, field) => {
    const { properties } = (await described(`api:${path}`)).schema;
    const { enum: values, ...rest } = properties[name] ?? {};
    const { enum: expected, ...others } = field as Record<string, unknown>;
    expect(rest).toMatchObject(others);
    expect(new Set(values as string[] | undefined)).toEqual(new Set(expected as string[] | undefined));
  });

  it("is flat: no field has the suffix of a language, and none is nested", async () => {
    const { properties } = (await described("api:articles/")).schema;
    expect(Object.keys(properties).filter((name) => /_(en|it)$|^translations$/.test(name))).toEqual([]);
    for (const field of Object.values(properties)) expect(field).not.toHaveProperty("properties");
  });

  it("tells what a new record needs", async () => {
    expect((await described("api:users/")).schema.required).toContain("username");
  });

  it("has nothing to tell of a path that is no collection, nor to anonymous clients", async () => {
    expect(await described("api:pages/bulk_delete/")).not.toHaveProperty("schema");
    const { ask } = await memorySite();
    expect((await ask("OPTIONS", "api:pages/")).status).toBe(401);
  });
});
