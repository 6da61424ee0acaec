/** Deltas in packs: a list of ranges, each copied from the base or contained in the delta. */

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

const truncated = (): Error => new Error("the pack has a truncated delta");
