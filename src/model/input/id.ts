/** Ids of records. */

export type Id = number;

/** Ids are positive 32-bit integers, so that every client and database can hold them. */
export const ID_MAX = 2 ** 31 - 1;

/** Whether a value of a file is an id. */
export const isId = (value: unknown): value is number =>
  typeof value === "number" && Number.isInteger(value) && value > 0 && value <= ID_MAX;

/** The id that a text in decimal digits stands for; undefined for any other text. Leading zeros are allowed. */
export const parseId = (text: string): number | undefined =>
  /^\d{1,10}$/.test(text) && Number(text) <= ID_MAX ? Number(text) : undefined;

/** A number sent as text, in any range; other values unchanged. */
export const numericId = (value: unknown): unknown =>
  typeof value === "string" && /^\d{1,10}$/.test(value) ? Number(value) : value;
