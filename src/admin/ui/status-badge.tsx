import { text } from "../i18n.ts";

export type Status = "PUB" | "DRF" | "PLA" | "TRS";

/** A state by word, and by colour beside it. */
export const StatusBadge = ({ status }: { status: Status }) => <span class={`badge ${status}`}>{text(status)}</span>;
