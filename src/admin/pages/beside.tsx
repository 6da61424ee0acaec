/** What is beside the form of a page: its preview, or the form of another language. */
import { useEffect, useState } from "preact/hooks";
import { languages } from "../site.ts";
import { notifyFailure } from "../ui/notices.tsx";
import { EditedPage } from "./edited-page.tsx";
import { openPage, type PageState } from "./page-state.ts";
import { Preview } from "./preview/preview.tsx";

interface BesideProps {
  readonly page: PageState;
  /** The other language; undefined: the preview. */
  readonly lang: string | undefined;
}

export function Beside({ page, lang }: BesideProps) {
  const other = languages.value.find(({ id }) => id === lang && id !== page.lang);
  return other ? (
    <OtherLanguage key={other.id} page={page} lang={other.id} name={other.name} />
  ) : (
    <Preview page={page} />
  );
}

interface OtherProps {
  readonly page: PageState;
  readonly lang: string;
  readonly name: string;
}

function OtherLanguage({ page, lang, name }: OtherProps) {
  const [other, setOther] = useState<PageState | undefined>(undefined);
  useEffect(() => {
    openPage(page.id, lang, page.collection).then(setOther, notifyFailure);
  }, [page]);
  useFollowing(page, other);
  useFollowing(other, page);
  return other ? <EditedPage page={other} besideAs={name} onLeft={() => follow(other, page)} /> : <div />;
}

function useFollowing(followed: PageState | undefined, follower: PageState | undefined): void {
  const record = followed?.record.value;
  useEffect(() => {
    if (followed && follower) follow(followed, follower);
  }, [record]);
}

/** Both languages are one record: what is saved in one is a newer version of the other, but no other editor's. */
function follow(followed: PageState, follower: PageState): void {
  if (followed.version() !== follower.version()) void follower.catchUp().catch(notifyFailure);
}
