/** Deltas in packs, applied and made: a list of ranges, each copied from the base or contained in the delta. */

/** @throws an Error if the delta is damaged or made for another base */
export function applyDelta(base: Buffer, delta: Buffer): Buffer {
  let at = 0;
  const next = (): number => {
    const byte = delta[at++];
    if (byte === undefined) throw truncated();
    return byte;
  };
  const length = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = next();
      value += (byte & 0x7f) * scale;
      if (!(byte & 0x80)) return value;
    }
  };
  if (length() !== base.length) throw new Error("the pack has a delta that does not match its base");
  const result = Buffer.allocUnsafe(length());
  let written = 0;
  while (at < delta.length) {
    const op = next();
    if (op & 0x80) {
      let from = 0;
      let size = 0;
      for (let bit = 0, scale = 1; bit < 4; bit++, scale *= 256) if (op & (1 << bit)) from += next() * scale;
      for (let bit = 4, scale = 1; bit < 7; bit++, scale *= 256) if (op & (1 << bit)) size += next() * scale;
      written += base.copy(result, written, from, from + (size || 0x10000));
    } else {
      written += delta.copy(result, written, at, at + op);
      at += op;
    }
  }
  if (written !== result.length) throw truncated();
  return result;
}

const INSERTED_MAX = 127;
const COPIED_MAX = 0xff_ffff;

/**
 * A delta of two contents that differ in one place, as two versions of a folder do. Correct for any two.
 *
 * @param target shorter than 16 MB
 */
export function deltaOf(base: Uint8Array, target: Uint8Array): Buffer {
  const shorter = Math.min(base.length, target.length);
  let start = 0;
  while (start < shorter && base[start] === target[start]) start++;
  let end = 0;
  while (end < shorter - start && base[base.length - 1 - end] === target[target.length - 1 - end]) end++;
  const parts: Uint8Array[] = [lengthOf(base.length), lengthOf(target.length)];
  if (start > 0) parts.push(copyOf(0, start));
  for (let at = start; at < target.length - end; at += INSERTED_MAX) {
    const inserted = target.subarray(at, Math.min(at + INSERTED_MAX, target.length - end));
    parts.push(Buffer.from([inserted.length]), inserted);
  }
  if (end > 0) parts.push(copyOf(base.length - end, end));
  return Buffer.concat(parts);
}

function lengthOf(length: number): Buffer {
  const bytes: number[] = [];
  let left = length;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push(0x80 | (left % 128));
  return Buffer.from([...bytes, left]);
}

/** The instruction with all four bytes of the offset and all three of the size. */
function copyOf(from: number, size: number): Buffer {
  if (size > COPIED_MAX) throw new Error("a delta cannot copy 16 MB at once");
  const bytes = Buffer.alloc(8, 0xff);
  bytes.writeUInt32LE(from, 1);
  bytes.writeUIntLE(size, 5, 3);
  return bytes;
}

const truncated = (): Error => new Error("the pack has a truncated delta");
