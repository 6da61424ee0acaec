/** The threads of comments on a page in one language, while it is edited. */
import { signal, type Signal } from "@preact/signals";
import { get, request } from "../api.ts";
import type { TextPassage } from "../../model/review/passage.ts";
import type { CommentThread } from "../../model/review/thread.ts";
import type { PageState } from "../pages/page-state.ts";
import { attempt, notifyFailure } from "../ui/notices.tsx";
import { lastingPath, presentPath } from "./section-paths.ts";

export type Thread = CommentThread & {
  /** The title of its page. */
  readonly title: string | null;
  readonly model: string | null;
};

/** What a comment is being written about. */
export interface Asked {
  readonly path: string;
  readonly passage: TextPassage | null;
}

export interface PageThreads {
  readonly page: PageState;
  readonly all: Signal<readonly Thread[]>;
  readonly asked: Signal<Asked | undefined>;
  load(): Promise<void>;
  /** Opens a thread about what is asked. */
  open(text: string): Promise<void>;
  /** @param path below that of the threads; what fails is told */
  change(method: string, path: string, body?: object): Promise<void>;
  /** Where a thread stands in the form now; undefined where its field is gone. */
  placeOf(thread: Thread): string | undefined;
}

export function openThreads(page: PageState): PageThreads {
  const all = signal<readonly Thread[]>([]);
  const asked = signal<Asked | undefined>(undefined);
  const load = (): Promise<void> =>
    get<readonly Thread[]>(`threads/?of=${page.id}`).then((found) => {
      all.value = found.filter(({ language }) => language === page.lang);
    }, notifyFailure);
  const change: PageThreads["change"] = (method, path, body) =>
    attempt(async () => {
      await request(method, `threads/${path}`, { ...(body && { body }) });
      await load();
    });
  return {
    ...{ page, all, asked, load, change },
    async open(text) {
      const { path = "", passage = null } = asked.value ?? {};
      const field = lastingPath(page.values.value, path);
      await change("POST", `?language=${page.lang}`, { page: page.id, field, passage, text });
      asked.value = undefined;
    },
    placeOf: ({ field }) => (field === "" ? undefined : presentPath(page.values.value, field)),
  };
}
