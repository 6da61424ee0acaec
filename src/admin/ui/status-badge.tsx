import { text } from "../i18n.ts";
import type { Status } from "../pages/page-record.ts";

/** A state by word, and by colour beside it. */
export const StatusBadge = ({ status }: { status: Status }) => <span class={`badge ${status}`}>{text(status)}</span>;
