/**
 * What the service has promised: every acknowledged value, and the values each record may now have.
 *
 * A request that was cut off or answered 5xx may have been made or not, so its value stays possible until the record is
 * next read while nothing is in flight.
 */
export function openLedger() {
  /** Token to what was acknowledged with it, until a checkpoint has found it in the history. */
  const pending = new Map();
  const records = new Map();
  let number = 0;
  let acknowledged = 0;

  return {
    /** A text that occurs nowhere else. */
    token: (actor) => `tok-${actor}-${++number}-end`,
    acknowledge(token, what) {
      acknowledged++;
      pending.set(token, what);
    },
    get acknowledged() {
      return acknowledged;
    },
    pending,
    records,
    /** @param id of a page one writer owns */
    add(id, value) {
      records.set(id, { values: new Set([value]), seen: new Set([value]), mayBeGone: false, mayExist: true });
    },
  };
}

/** The record now has this value and no other. */
export function settle(record, value) {
  record.values = new Set([value]);
  record.seen.add(value);
}

/** The record may have this value now. */
export function allow(record, value) {
  record.values.add(value);
  record.seen.add(value);
}
