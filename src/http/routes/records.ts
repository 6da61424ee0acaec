/** The routes of declared records. */
import { declaredSpec } from "../../library/structure.ts";
import { permissionOf, type RecordDeclaration } from "../../model/records/record.ts";
import { RECORDS } from "../../model/records/records.ts";
import { permitted, resource, type ResourceSchemas } from "../app/resource.ts";
import type { Route } from "../app/route.ts";

const schemasOf = ({ name, label, path }: RecordDeclaration): ResourceSchemas => ({
  one: `a ${label}`,
  many: path,
  payload: name,
  input: `New${name}`,
  change: `${name}Input`,
});

export const recordRoutes: readonly Route[] = RECORDS.flatMap((of) =>
  resource({ ...declaredSpec(of), path: of.path, access: permitted(permissionOf(of)), schemas: schemasOf(of) }),
);
