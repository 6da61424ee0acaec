/** The declared kinds of record. The ids of permissions follow from the order: add new ones at the end. */
import type { RecordDeclaration } from "./record.ts";
import { TAG } from "./tag.ts";

const DECLARED = [TAG] as const;

export const RECORDS: readonly RecordDeclaration[] = DECLARED;

/** A model as references name it. */
export type DeclaredModel = `cms.${(typeof DECLARED)[number]["name"]}`;

export const modelOf = ({ name }: RecordDeclaration): DeclaredModel => `cms.${name}` as DeclaredModel;
