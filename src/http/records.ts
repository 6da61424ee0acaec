/** The routes of declared records. */
import { declaredSpec } from "../library/structure.ts";
import { permissionOf } from "../model/record.ts";
import { RECORDS } from "../model/records.ts";
import { permitted, resource } from "./resource.ts";
import type { Route } from "./route.ts";

export const recordRoutes: readonly Route[] = RECORDS.flatMap((of) =>
  resource({ ...declaredSpec(of), path: of.path, access: permitted(permissionOf(of)), record: of }),
);
