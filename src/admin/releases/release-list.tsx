/** The releases of the site: those that are still to come, and those that were published. */
import { showMoment, text } from "../i18n.ts";
import { isList } from "../json.ts";
import { RecordList } from "../records/record-list.tsx";
import { mayRelease } from "../session.ts";
import { STATE_COLOURS, STATES, stateOf } from "./release.ts";

export const ReleaseList = () => (
  <RecordList
    title={text("releases")}
    add={mayRelease() && ["releases/_new", text("newRelease")]}
    path="releases"
    searchLabel={text("searchReleases")}
    screenOf={({ name }) => `releases/${String(name)}`}
    columns={[
      { name: text("name"), show: ({ name }) => String(name) },
      {
        name: text("status"),
        show: (release) => (
          <span class={`badge ${STATE_COLOURS[stateOf(release)]}`}>{text(STATES[stateOf(release)])}</span>
        ),
      },
      {
        name: text("releaseMoment"),
        show: ({ publish_at: at, published_at: done }) => {
          const moment = at ?? done;
          return moment ? <time dateTime={String(moment)}>{showMoment(String(moment))}</time> : "–";
        },
      },
      { name: text("releasePages"), show: ({ items }) => (isList(items) ? items.length : 0) },
      { name: text("comment"), show: ({ comment }) => String(comment) || "–" },
    ]}
  />
);
