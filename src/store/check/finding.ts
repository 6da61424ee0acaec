/** What a check finds. */
import type { Locales } from "../../model/locale.ts";
import type { Id } from "../../model/page.ts";
import type { Severity } from "../../model/problem.ts";
import type { AnyKind } from "../content/record-type.ts";
import type { Snapshot } from "../content/snapshot.ts";

/** Something wrong in a record; `path` leads to it in the record's main file. */
export interface Finding {
  readonly kind: AnyKind;
  readonly id: Id;
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** Absent: an error. */
  readonly severity?: Severity;
}

/** Looks at all records of some kind, against each other where need be. */
export type Check = (content: Snapshot, locales: Locales) => Iterable<Finding>;
