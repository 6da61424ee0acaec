/** The routes of declared records. */
import { createRecord, deleteRecords, updateRecord } from "../actions/records.ts";
import { permissionOf, type DeclaredRecord } from "../model/record.ts";
import { RECORDS } from "../model/records.ts";
import { declaredTypeOf } from "../store/content/records/declared.ts";
import { recordList, recordPayload } from "../views/record.ts";
import { permitted, resource } from "./resource.ts";
import type { Route } from "./route.ts";

export const recordRoutes: readonly Route[] = RECORDS.flatMap((of) =>
  resource<DeclaredRecord>({
    path: of.path,
    kind: declaredTypeOf(of),
    queryable: recordList(of),
    show: (view, record) => recordPayload(view, of, record),
    access: permitted(permissionOf(of)),
    record: of,
    create: ({ ctx, lang }, by, body) => createRecord(ctx, by, of, body, lang),
    update: ({ ctx, lang }, by, id, body) => updateRecord(ctx, by, of, id, body, lang),
    remove: ({ ctx }, by, id) => deleteRecords(ctx, by, of, [id]),
    removeMany: ({ ctx }, by, ids) => deleteRecords(ctx, by, of, ids),
  }),
);
