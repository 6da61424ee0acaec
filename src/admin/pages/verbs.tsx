/** What can be done with a page in one language. */
import { useState } from "preact/hooks";
import { get, inWords, onHost, request, type RecordLink } from "../api.ts";
import { showMoment, text, uiLanguage } from "../i18n.ts";
import { isRecord, type Json, type Values } from "../json.ts";
import { UsesDialog, usesOfPages } from "../media/media-uses.tsx";
import { useCommands } from "../palette/commands.ts";
import { go } from "../router.ts";
import { canPublish, proposePage, type PageReview } from "../review/page-review.ts";
import { ProposeDialog } from "../review/propose-dialog.tsx";
import { may } from "../session.ts";
import { languageName } from "../site.ts";
import { CommentDialog } from "../ui/form-dialog.tsx";
import { attempt, notify, offerUndo } from "../ui/notices.tsx";
import { VerbLine, type Verb } from "../ui/verb-line.tsx";
import { publishIn, useOtherDrafts } from "./all-languages.ts";
import { fittingVerb, type FittingVerb } from "./fitting-verb.ts";
import { askForNewPage, belowTitle } from "./new-page.tsx";
import { TEXTS } from "./page-fields.ts";
import { plannedMoment } from "./page-record.ts";
import { editableValues, type PageState } from "./page-state.ts";
import { ScheduleDialog } from "./schedule-dialog.tsx";

interface VerbsProps {
  readonly page: PageState;
  readonly onSave: () => Promise<void>;
  readonly review: PageReview | undefined;
  readonly readReview: () => Promise<void>;
  /** To the palette. */
  readonly offersCommands: boolean;
}

export function Verbs({ page, onSave, review, readReview, offersCommands }: VerbsProps) {
  const [isScheduling, setScheduling] = useState(false);
  const [isCommenting, setCommenting] = useState(false);
  const { status, has_draft: hasDraft, published_at: published } = page.record.value;
  const isChanged = page.isChanged.value;
  const path = `${page.collection}/${page.id}`;
  // What was live before would have to be approved, too: it is no click away.
  const isReviewed = (review?.required ?? 0) > 0;
  const publish = (body?: Values): Promise<void> =>
    isReviewed ? attempt(() => page.run("publish", body), text("published")) : attempt(() => publishIn(page, [], body));
  const others = useOtherDrafts(page);
  const languageNames = new Intl.ListFormat(uiLanguage.value).format([page.lang, ...others].map(languageName));
  /** What was discarded can be typed again by one click. */
  const discarding = (discarded: string, before: Values, work: () => Promise<void>): Promise<void> =>
    attempt(async () => {
      await work();
      offerUndo(discarded, () => {
        for (const [name, value] of Object.entries(before)) page.set(name, value);
      });
    });
  const discard = (): Promise<void> => discarding(text("draftDiscarded"), page.values.value, () => page.discard());
  const planned = plannedMoment(page.record.value);
  const schedule = (moment: string | null): Promise<boolean> =>
    page.run("schedule", { publish_at: moment, ...(moment !== null && { with_draft: true }) });
  const cancelSchedule = (): Promise<void> =>
    attempt(async () => {
      if (await schedule(null)) offerUndo(text("scheduleCancelled"), () => attempt(() => schedule(planned)), path);
    });
  const discardTyped = (): Promise<void> =>
    discarding(text("changesDiscarded"), page.changes.value, () => page.reload());
  const unpublish = (): Promise<void> =>
    attempt(async () => {
      await page.patch({ published_at: null });
      offerUndo(text("unpublished"), () => attempt(() => page.patch({ published_at: published })), path);
    });
  const [uses, setUses] = useState<readonly RecordLink[]>([]);
  const trash = (isConfirmed = false): Promise<void> =>
    attempt(async () => {
      const found = isConfirmed ? [] : await usesOfPages(page.collection, [page.id]);
      setUses(found);
      if (found.length > 0) return;
      await page.run("trash");
      if (page.record.value.status === "TRS") offerUndo(text("movedToTrash"), () => attempt(() => page.run("restore")));
    });
  const copy = (): Promise<void> => attempt(() => duplicate(page));
  const why = (message: string | null | undefined): Pick<Verb, "isOff" | "reason"> =>
    message ? { isOff: true, reason: inWords(message) } : {};
  const noEdit = why(review?.may_not_edit);
  const noTrash = why(review?.may_not_trash);
  const canSave = isChanged && page.progress.value !== "saving";
  const isTrash = status === "TRS";
  const [change, add] =
    page.collection === "articles" ? ["change_article", "add_article"] : ["change_page", "add_page"];
  const isPublishable = canPublish(review, isChanged);
  const fits = fittingVerb(page.record.value, isChanged);
  // What waits for a decision need not be proposed once more.
  const toPropose = review?.review?.state === "open" && !isChanged ? "save" : "propose";
  const fitting = fits === "publish" && !isPublishable && review?.may_propose ? toPropose : fits;
  const [isChoosing, setChoosing] = useState(false);
  const propose = (asked: readonly string[] = []): Promise<void> =>
    attempt(async () => {
      const isDone = await proposePage(page, asked);
      await readReview();
      return isDone;
    }, text("proposed"));
  const { title, routerlink } = page.record.value;
  const above = { id: page.id, title: title || `#${page.id}` };
  const verbs: Readonly<Record<FittingVerb, Verb>> = {
    restore: { name: text("restore"), run: () => attempt(() => page.run("restore")), ...noTrash },
    save: { name: text("save"), run: onSave, isOff: !canSave, ...noEdit },
    changeSchedule: { name: text(planned === null ? "schedule" : "changeSchedule"), run: () => setScheduling(true) },
    publish: { name: text("publish"), run: () => publish(), isOff: !isPublishable, ...why(review?.reason) },
    propose: { name: text("propose"), run: () => propose() },
    viewPage: {
      name: text("viewPage"),
      run: () => open(onHost(routerlink ?? ""), "_blank", "noopener"),
      isOff: !routerlink,
    },
  };
  /** What is not done every time. */
  const rest: readonly Verb[] = [
    ...(isChanged ? [{ name: text("discardTyped"), run: discardTyped }] : []),
    ...(isTrash
      ? []
      : [
          ...(fitting === "publish" ? [] : [verbs.publish]),
          ...(others.length > 0 && isPublishable && !isReviewed
            ? [
                {
                  name: text("publishAll", { languages: languageNames }),
                  run: () => attempt(() => publishIn(page, others)),
                  ...why(review?.reason),
                },
              ]
            : []),
          {
            name: text("publishWithComment"),
            run: () => setCommenting(true),
            isOff: !isPublishable,
            ...why(review?.reason),
          },
          ...(fitting === "changeSchedule"
            ? []
            : [{ ...verbs.changeSchedule, isOff: !isPublishable, ...why(review?.reason) }]),
          ...(review?.may_propose && (isChanged || hasDraft || status === "DRF")
            ? [
                ...(fitting === "propose" ? [] : [verbs.propose]),
                { name: text("proposeTo"), run: () => setChoosing(true) },
              ]
            : []),
        ]),
    ...(hasDraft ? [{ name: text("discardDraft"), run: discard, ...noEdit }] : []),
    ...(published !== null && may(change) && (review?.may_publish ?? true) && !isTrash
      ? [{ name: text("unpublish"), run: unpublish }]
      : []),
    ...(status === "PUB" && fitting !== "viewPage" ? [verbs.viewPage] : []),
    ...(may(add) ? [{ name: text("duplicate"), run: copy }] : []),
    ...(isTrash ? [] : [{ name: text("moveToTrash"), run: () => trash(), isDanger: true, ...noTrash }]),
  ];
  useCommands(
    offersCommands
      ? [
          { name: text("save"), run: () => void onSave() },
          ...(fitting === "save" ? [] : [verbs[fitting]]),
          ...(planned === null ? [] : [{ name: text("cancelSchedule"), run: cancelSchedule }]),
          { name: text("history"), run: () => go(`${path}/history?lang=${page.lang}`) },
          ...(page.collection === "pages" && may(add) && !isTrash
            ? [{ name: belowTitle(above), run: () => askForNewPage(above) }]
            : []),
          ...rest,
        ]
      : [],
  );
  return (
    <VerbLine
      main={verbs[fitting]}
      second={fitting === "save" ? undefined : verbs.save}
      others={rest}
      state={page.progress.value === "saving" ? text("saving") : isChanged ? text("unsaved") : ""}
    >
      {uses.length > 0 && (
        <UsesDialog
          title={text("trashTitle", { name: String(page.record.value.title || text("noTitle")) })}
          hint={text("trashNamed", { count: uses.length })}
          verb={text("moveToTrash")}
          links={uses}
          onSubmit={() => void trash(true)}
          onClose={() => setUses([])}
        />
      )}
      {isChoosing && (
        <ProposeDialog
          onClose={() => setChoosing(false)}
          onPropose={(asked) => {
            setChoosing(false);
            void propose(asked);
          }}
        />
      )}
      {isCommenting && (
        <CommentDialog
          title={text("publishWithComment")}
          hint={text("commentHint")}
          isRequired
          onClose={() => setCommenting(false)}
          onChoose={(comment) => {
            setCommenting(false);
            void publish({ comment });
          }}
        />
      )}
      {isScheduling && (
        <ScheduleDialog
          page={page}
          onClose={() => setScheduling(false)}
          onChoose={(moment) => {
            setScheduling(false);
            void attempt(async () => {
              const told = text("scheduled", { moment: showMoment(moment) });
              if (await schedule(moment)) offerUndo(told, () => attempt(() => schedule(planned)), path);
            });
          }}
          onPublish={() => {
            setScheduling(false);
            void publish();
          }}
          onCancelled={() => {
            setScheduling(false);
            void cancelSchedule();
          }}
        />
      )}
    </VerbLine>
  );
}

/** Copies this page as it is stored, in all its languages; the copy starts as an unpublished page. */
async function duplicate({ collection, id, lang, model }: PageState): Promise<void> {
  const payload = await get<Values>(`${collection}/${id}/?language=${lang}`);
  const languages = isRecord(payload.translations) ? Object.keys(payload.translations) : [];
  const copied = languages.map((each) => [each, copyOf(editableValues(payload, each, model))] as const);
  const shared = Object.entries(editableValues(payload, lang, model)).filter(([name, value]) => isShared(name, value));
  const body = {
    ...Object.fromEntries(shared),
    ...(model && { model: model.name }),
    translations: Object.fromEntries(copied),
  };
  const { value } = await request<{ id: number }>("POST", `${collection}/?language=${lang}`, { body });
  notify(text("duplicated"));
  go(`${collection}/${value.id}?lang=${lang}`);
}

/** Its place in the order and its identifier are those of one page alone. */
const isShared = (name: string, value: Json): boolean =>
  value !== null && !TEXTS.includes(name) && name !== "ordering" && name !== "identifier";

/** The texts of a language, without its address, which is made of the title. */
function copyOf(values: Values): Values {
  const names = TEXTS.filter((name) => !/permalink/.test(name) && values[name] !== null);
  const texts = Object.fromEntries(names.map((name) => [name, values[name] ?? null]));
  const { title } = texts;
  return { ...texts, ...(title && { title: text("copyOf", { title: String(title) }) }) };
}
