/** The values of a few fields of a record, so that what shows them is not drawn again while another field is typed into. */
import { computed } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { Values } from "../json.ts";
import type { RecordState } from "./record-state.ts";

/** @returns the same object as long as each of them is the same */
export function useOwnValues(record: RecordState, names: readonly string[]): Values {
  const own = useMemo(() => {
    let last: Values = {};
    return computed(() => {
      const { value: all } = record.values;
      const there = names.filter((name) => name in all);
      const isSame = there.length === Object.keys(last).length && there.every((name) => last[name] === all[name]);
      if (!isSame) last = Object.fromEntries(there.map((name) => [name, all[name] ?? null]));
      return last;
    });
  }, [record, names.join()]);
  return own.value;
}
