/** Moments in the form that a control for local dates and times takes. */

/** @param iso ISO 8601 with a zone @returns empty for any other text */
export function localMoment(iso: string): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return "";
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** @param local as the control has it @returns ISO 8601 in UTC; null for an empty one */
export const momentOf = (local: string): string | null => (local === "" ? null : new Date(local).toISOString());
