/** Block types in TypeScript: what a block has follows from the fields that its type declares. */
import type { KindName } from "../model/fields/definition.ts";
import type { BlockTypeInput, FieldInput } from "./inputs.ts";
import type { NestedMediaPayload } from "./payloads.ts";

/** A type with the function that shows its blocks. @typeParam R what the function makes: HTML, an element */
export interface DefinedBlock<T extends BlockTypeInput = BlockTypeInput, R = unknown> {
  /** What `cms.blockTypes.create` takes. */
  readonly type: T;
  render(block: BlockOf<T>): R;
}

/** Returns both unchanged; for type checking and completion in editors. */
export const defineBlock = <const T extends BlockTypeInput, R>(
  type: T,
  render: (block: BlockOf<T>) => R,
): DefinedBlock<T, R> => ({ type, render });

/** A block of a type as the API serves it. */
export type BlockOf<T extends BlockTypeInput> = {
  readonly type: T["name"] & string;
  readonly id: string;
  readonly hidden?: boolean | null;
} & (T["schema"] extends readonly FieldInput[] ? FieldsOf<T["schema"]> : unknown);

type FieldsOf<S extends readonly FieldInput[]> = {
  readonly [F in S[number] as IsPresent<F> extends true ? F["name"] : never]: ServedOf<F>;
} & {
  readonly [F in S[number] as IsPresent<F> extends true ? never : F["name"]]?: ServedOf<F> | null;
};

/** Whether there is always a value. */
type IsPresent<F extends FieldInput> = F extends { readonly show_if: object }
  ? false
  : F extends { readonly required: true }
    ? true
    : false;

type ServedOf<F extends FieldInput> = F extends { readonly translated: true }
  ? { readonly [lang: string]: ValueOf<F> | null }
  : ValueOf<F>;

type ValueOf<F extends FieldInput> = F extends { readonly kind: "select" }
  ? F extends { readonly multiple: true }
    ? readonly ChoiceOf<F>[]
    : ChoiceOf<F>
  : F extends { readonly kind: "group" }
    ? ChildrenOf<F>
    : F extends { readonly kind: "list" }
      ? readonly ChildrenOf<F>[]
      : F extends { readonly kind: infer K extends KindName }
        ? K extends keyof Values
          ? Values[K]
          : string
        : string;

type ChoiceOf<F> = F extends { readonly choices: readonly { readonly value: infer V }[] } ? V : string;
type ChildrenOf<F> = F extends { readonly children: infer S extends readonly FieldInput[] } ? FieldsOf<S> : object;

/** The values of kinds that are no texts. A record is its id where it does not exist for the reader. */
interface Values {
  readonly integer: number;
  readonly number: number;
  readonly boolean: boolean;
  readonly location: { readonly latitude: number; readonly longitude: number };
  readonly media: NestedMediaPayload | number | null;
  readonly ref: { readonly [key: string]: unknown } | number | null;
  readonly queryset: readonly ({ readonly [key: string]: unknown } | number)[];
  readonly permalink: {
    readonly link_type: "RE" | "ST";
    readonly url?: string | null;
    readonly [key: string]: unknown;
  };
  readonly blocks: readonly { readonly type: string; readonly id: string; readonly [field: string]: unknown }[];
}
