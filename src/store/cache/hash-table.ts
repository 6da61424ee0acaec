/** Finds the place of a key in a column by its hash. */

/** Open addressing with linear probing. A slot holds the place of a key plus 1, or 0 if it is free. */
export type HashTable = Uint32Array;

/** @param seed differs in each cache, so that an author cannot choose permalinks with equal hashes */
export function hashOf(key: string | number, seed: number): number {
  let hash = seed | 0;
  if (typeof key === "number") {
    hash = Math.imul(hash ^ key, 0x9e3779b1) ^ Math.imul(key / 2 ** 32, 0x85ebca6b);
  } else {
    for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** At most half of its slots are used. @param count number of keys */
export const newHashTable = (count: number): HashTable => new Uint32Array(2 ** Math.ceil(Math.log2(2 * count + 1)));

/** The place of a key. @param isAt whether the key at a place is the one with this hash */
export function findPlace(table: HashTable, hash: number, isAt: (place: number) => boolean): number | undefined {
  const slot = slotOf(table, hash, isAt);
  return table[slot] === 0 ? undefined : table[slot]! - 1;
}

/** Records the place of a key, replacing that of an equal key. @param isAt as for `findPlace` */
export function putPlace(table: HashTable, hash: number, place: number, isAt: (place: number) => boolean): void {
  table[slotOf(table, hash, isAt)] = place + 1;
}

function slotOf(table: HashTable, hash: number, isAt: (place: number) => boolean): number {
  const last = table.length - 1;
  let slot = hash & last;
  while (table[slot] !== 0 && !isAt(table[slot]! - 1)) slot = (slot + 1) & last;
  return slot;
}
