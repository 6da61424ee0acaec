/**
 * The served schema and the input validation agree for any type and any data, tested with an independent
 * validator.
 */
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linkedDefinitions } from "../../src/model/fields/blocks.ts";
import { jsonSchema } from "../../src/model/fields/type-schema.ts";
import type { Json } from "../../src/model/input/json.ts";
import {
  prunedData,
  readData,
  readDefinitions,
  resolveData,
  type Definitions,
} from "../../src/model/records/schema.ts";
import { ANY_BLOCKS, anyData, anySchema, LANGS, THERE } from "./any-type.ts";

const locales = { codes: LANGS, default: "en" };
const RUNS = 200;
const TIMEOUT = 120_000;
const NAMES = ["cms.Page", "cms.Media", "cms.Tag", "auth.User"];
const findModel = (name: string): string | undefined =>
  NAMES.find((known) => known.toLowerCase() === name.toLowerCase());
const exists = ({ id }: { id: number }): boolean => THERE.includes(id);

/** In strict mode; only our extension keywords, and that of OpenAPI, are declared. */
function independent(schema: object) {
  const ajv = new Ajv2020({ strict: true, allErrors: true });
  addFormats.default(ajv);
  ajv.addVocabulary(["x-model", "x-multiple", "discriminator"]);
  return ajv.compile(schema);
}

const anyType = anySchema.map((sent) => {
  const read = readDefinitions(sent as Json, findModel);
  if ("errors" in read) throw new Error(JSON.stringify(read.errors));
  return linkedDefinitions(ANY_BLOCKS)(read.definitions);
});
const typeWithData = anyType.chain((definitions) =>
  fc.tuple(fc.constant(definitions), fc.array(anyData(definitions), { minLength: 4, maxLength: 12 })),
);

const show = (definitions: Definitions, data: Json) =>
  resolveData(
    definitions,
    data as never,
    locales,
    { reference: (model, id) => ({ model, id, more: "x" }), link: (link) => ({ ...(link as object), url: "/x" }) },
    { fill: true },
  );

describe("any type and any data", () => {
  it(
    "are judged alike by the schema and by the service",
    () => {
      const seen = { accepted: 0, refused: 0, canonical: 0 };
      fc.assert(
        fc.property(typeWithData, ([definitions, all]) => {
          const validate = independent(jsonSchema(definitions, "MetaType_1", locales));
          for (const data of all) {
            const read = readData(definitions, data, { locales });
            // Accepted input is stored in the form the schema describes, and is accepted again unchanged.
            if ("data" in read) {
              seen.accepted++;
              expect(validate(read.data), JSON.stringify(validate.errors)).toBe(true);
              expect(readData(definitions, read.data, { locales })).toEqual(read);
            } else {
              seen.refused++;
              expect(Object.keys(read.errors)).not.toEqual([]);
            }
            // What the schema accepts, the service accepts.
            if (validate(data)) {
              seen.canonical++;
              expect(read).toHaveProperty("data");
            }
          }
        }),
        { numRuns: RUNS },
      );
      // The generator produces all three cases.
      for (const count of Object.values(seen)) expect(count).toBeGreaterThan(RUNS / 4);
    },
    TIMEOUT,
  );

  it(
    "can be read and written back without a change",
    () => {
      fc.assert(
        fc.property(typeWithData, ([definitions, all]) => {
          for (const data of all) {
            let ids = 0;
            const read = readData(definitions, data, { locales, exists, newId: () => `n${++ids}` });
            if (!("data" in read)) continue;
            const stored = prunedData(definitions, read.data);
            const again = readData(definitions, show(definitions, stored) as Json, { locales, exists });
            expect(again, JSON.stringify(show(definitions, stored))).toHaveProperty("data");
            expect(prunedData(definitions, (again as typeof read).data)).toEqual(stored);
          }
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT,
  );

  it(
    "never touch what is inherited",
    () => {
      fc.assert(
        fc.property(typeWithData, ([definitions, all]) => {
          for (const data of all) readData(definitions, data, { locales, exists });
          expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain("en");
          expect(({} as Record<string, unknown>).title).toBeUndefined();
        }),
        { numRuns: 50 },
      );
    },
    TIMEOUT,
  );
});
