/** Values of fields, as the API gives and takes them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** By the names of the fields. */
export type Values = Readonly<Record<string, Json>>;

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);
export const isRecord = (value: Json | undefined): value is Values =>
  typeof value === "object" && value !== null && !isList(value);

export const isSame = (a: Json | undefined, b: Json | undefined): boolean =>
  a === b || JSON.stringify(a) === JSON.stringify(b);
