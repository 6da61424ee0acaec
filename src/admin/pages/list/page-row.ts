/** Pages as rows: from a list that is filtered and sorted, or from the tree. */
import { get } from "../../api.ts";
import type { PagePayload } from "../../../library/payloads.ts";

const FIELDS = ["id", "title", "permalink", "status", "date_updated_at", "has_draft", "has_scheduled_draft"] as const;

export type PageRow = Required<Pick<PagePayload, (typeof FIELDS)[number]>>;

/** A page of the tree. */
export interface TreePage extends PageRow {
  /** How many pages are directly below it. */
  readonly children: number;
}

export interface PageOfRows {
  readonly items: readonly PageRow[];
  readonly paginator: { readonly count: number };
}

/** Rows asked for at a time. */
export const CHUNK = 100;

/** @param page from 1 */
export const readRows = (query: string, page: number, signal?: AbortSignal): Promise<PageOfRows> =>
  get<PageOfRows>(`pages/?${query}&fields=${FIELDS.join(",")}&items=${CHUNK}&page=${page}`, signal);

/** @param parent null for the top level */
export const readLevel = (parent: number | null, lang: string, signal?: AbortSignal): Promise<readonly TreePage[]> =>
  get<readonly TreePage[]>(`page-tree/?language=${lang}${parent === null ? "" : `&parent=${parent}`}`, signal);

export const nameOfRow = ({ id, title }: PageRow): string => title || `#${id}`;
