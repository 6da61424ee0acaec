/** Values that two editors changed from the same version of a record: field by field, within data key by key. */
import { isRecord, isSame, type Json, type Values } from "../json.ts";

/** A value that both changed, and not to the same. */
export interface Contested {
  /** Names of the fields that lead to it; an item of a list is not reached, a list is one value. */
  readonly path: readonly string[];
  readonly mine: Json;
  readonly theirs: Json;
}

/** The form in which a choice names a contested value. */
export const pathKey = (path: readonly string[]): string => path.join(".");

/**
 * @param base what both followed from; undefined: it is not known, so every value that differs is contested
 * @param mine only the fields that were changed
 */
export const contestedValues = (base: Values | undefined, mine: Values, theirs: Values): Contested[] =>
  Object.keys(mine).flatMap((name) => contested([name], base?.[name], mine[name], theirs[name]));

type Value = Json | undefined;

function contested(path: readonly string[], base: Value, mine: Value, theirs: Value): Contested[] {
  if (isSame(mine, theirs) || isSame(mine, base) || isSame(theirs, base)) return [];
  if (!isRecord(mine) || !isRecord(theirs)) return [{ path, mine: mine ?? null, theirs: theirs ?? null }];
  return keysOf(mine, theirs).flatMap((key) =>
    contested([...path, key], isRecord(base) ? base[key] : undefined, mine[key], theirs[key]),
  );
}

/**
 * Theirs, with what only I changed, and of the contested values those of mine that are kept.
 *
 * @param takesTheirs by the path of a contested value
 */
export const mergedValues = (
  base: Values | undefined,
  mine: Values,
  theirs: Values,
  takesTheirs: (path: string) => boolean,
): Values => ({
  ...theirs,
  ...Object.fromEntries(
    Object.keys(mine).map((name) => [
      name,
      merged([name], base?.[name], mine[name], theirs[name], takesTheirs) ?? null,
    ]),
  ),
});

function merged(
  path: readonly string[],
  base: Value,
  mine: Value,
  theirs: Value,
  takesTheirs: (path: string) => boolean,
): Value {
  if (isSame(mine, base)) return theirs;
  if (isSame(theirs, base) || isSame(mine, theirs)) return mine;
  if (!isRecord(mine) || !isRecord(theirs)) return takesTheirs(pathKey(path)) ? theirs : mine;
  const values = keysOf(mine, theirs).map((key) => {
    const before = isRecord(base) ? base[key] : undefined;
    return [key, merged([...path, key], before, mine[key], theirs[key], takesTheirs)] as const;
  });
  return Object.fromEntries(values.filter((entry): entry is readonly [string, Json] => entry[1] !== undefined));
}

const keysOf = (mine: Values, theirs: Values): string[] => [...new Set([...Object.keys(theirs), ...Object.keys(mine)])];
