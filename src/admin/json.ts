/** Values of fields, as the API gives and takes them. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** By the names of the fields. */
export type Values = Readonly<Record<string, Json>>;
