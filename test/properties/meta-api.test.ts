/** The endpoint's schema, the endpoint, its files and a second start agree for any type and any data. */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Json } from "../../src/model/input/json.ts";
import { readDefinitions } from "../../src/model/records/schema.ts";
import { contentProblems } from "../../src/store/check/check.ts";
import { META_INSTANCES } from "../../src/store/records/meta-instances.ts";
import { memorySite } from "../site.ts";
import { anyData, anySchema, BLOCK_FILES, LANGS } from "./any-type.ts";
import { expectSameAfterRestart } from "../support/restart.ts";

const TIMEOUT = 120_000;
const MODELS = ["cms.Page", "cms.Media", "cms.Tag", "auth.User"];
const LANGUAGES = LANGS.map((id) => ({ id, name: id }));

const typeWithData = anySchema.chain((schema) => {
  const read = readDefinitions(schema as Json, (name) =>
    MODELS.find((model) => model.toLowerCase() === name.toLowerCase()),
  );
  const definitions = "definitions" in read ? read.definitions : [];
  return fc.tuple(fc.constant(schema), fc.array(anyData(definitions), { minLength: 3, maxLength: 6 }));
});

it(
  "takes what its schema takes, keeps it in files that load again, and shows what can be written back",
  async () => {
    await fc.assert(
      fc.asyncProperty(typeWithData, async ([schema, all]) => {
        const site = await memorySite(
          {
            ...BLOCK_FILES,
            "content/pages/a.yaml": "id: 1\n",
            "content/pages/b.yaml": "id: 2\n",
            "content/pages/c.yaml": "id: 3\n",
          },
          { LANGUAGES, API: { UNKNOWN_FIELDS: "ignore" } },
        );
        const type = await site.api("POST", "meta-types/", { key: "any", name: "Any", schema });
        const ajv = new Ajv2020({ strict: true });
        addFormats.default(ajv);
        ajv.addVocabulary(["x-model", "x-multiple", "discriminator"]);
        const validate = ajv.compile(await site.api("GET", `meta-types/${type.id}/schema/`));
        for (const data of all) {
          const answer = await site.ask("POST", "api:meta-instances/", {
            as: "staff",
            body: { meta_type: type.id, data },
          });
          if (answer.status !== 201) {
            expect(answer.status).toBe(400);
            expect(Object.keys(answer.body)).toEqual(["data"]);
            if (validate(data)) expect(answer.text).toContain("object does not exist");
            continue;
          }
          const made = answer.body;
          expect(
            validate(site.cms.store.current.get(META_INSTANCES, made.id).data),
            JSON.stringify(validate.errors),
          ).toBe(true);
          const { commit } = site.cms.store.current;
          expect(await site.api("PUT", `meta-instances/${made.id}/`, made)).toEqual(made);
          expect(site.cms.store.current.commit).toBe(commit);
        }
        await expectSameAfterRestart(site);
        expect(await contentProblems(site.cms.store, site.cms.locales)).toEqual([]);
        await site.cms.close();
      }),
      { numRuns: 40 },
    );
  },
  TIMEOUT,
);
