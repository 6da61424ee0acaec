import type { Lang, Locales } from "../../model/language/locale.ts";
import type { Id } from "../../model/page/page.ts";
import type { CheckRule, Severity } from "../../model/text/check-rules.ts";
import type { Fix } from "../../model/text/problem.ts";
import type { KeyPath } from "../codec/codec.ts";
import type { AnyKind } from "../records/record-type.ts";
import type { Snapshot } from "../snapshot.ts";

/** A problem of a record. */
export interface Finding {
  readonly kind: AnyKind;
  readonly id: Id;
  /** In the record's main file, or that of its draft. */
  readonly path: KeyPath;
  /** The language of the draft in whose file it is. */
  readonly draft?: Lang;
  readonly message: string;
  /** An address in the value, as it is written there: the finding is reported at its place. */
  readonly address?: string;
  /** Where the record has no file of its own: the file to name. */
  readonly file?: string;
  /** Default: an error. */
  readonly severity?: Severity;
  /** Default: the rule of the check. */
  readonly rule?: CheckRule;
  readonly fix?: Fix;
}

/** Checks all records of some kinds, also against each other. */
export type Check = (content: Snapshot, locales: Locales) => Iterable<Finding>;

/** The findings of a check that has no rules of its own, under one. */
export const underRule = (rule: CheckRule, check: Check): Check =>
  function* (content, locales) {
    for (const each of check(content, locales)) yield { rule, ...each };
  };
