/** All pages: as a tree, or as the list that a search or filter finds. */
import { useEffect, useState } from "preact/hooks";
import { request } from "../api.ts";
import { text } from "../i18n.ts";
import { go, goWith, route } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { attempt, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { FoundPages } from "./list/found-pages.tsx";
import { isNarrowed, listQuery, PageFilters, useMine } from "./list/page-filters.tsx";
import { PageTree } from "./list/page-tree.tsx";
import { pageModels } from "./page-models.ts";

export function PageList() {
  const lang = contentLanguage.value;
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("pages")} />
        <LanguageTabs />
        {may("add_page") && <NewPage />}
      </div>
      <PageFilters />
      {isNarrowed() ? <NarrowedList /> : <PageTree key={lang} lang={lang} />}
    </>
  );
}

function NarrowedList() {
  const asksMine = route.value.query.get("mine") !== null;
  const mine = useMine(asksMine);
  if (asksMine && !mine) return null;
  return (
    <FoundPages
      query={listQuery(mine ?? [])}
      sort={route.value.query.get("sort") ?? ""}
      onSort={(sort) => goWith({ sort })}
    />
  );
}

/** Asks for a title, since a page needs one for its address, and for the page model, which cannot be changed later. */
function NewPage() {
  const [models, setModels] = useState<readonly string[]>([]);
  useEffect(() => {
    pageModels().then((all) => setModels(all.map(({ name }) => name)), notifyFailure);
  }, []);
  const create = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const model = form.get("model");
    const body = { title: String(form.get("title")).trim(), ...(model && { model }) };
    const lang = contentLanguage.value;
    await attempt(async () => {
      const { value } = await request<{ id: number }>("POST", `pages/?language=${lang}`, { body });
      go(`pages/${value.id}?lang=${lang}`);
    });
  };
  return (
    <form class="inline" onSubmit={(event) => void create(event)}>
      <input name="title" aria-label={text("newPageTitle")} placeholder={text("newPageTitle")} required />
      {models.length > 0 && (
        <select name="model" aria-label={text("newPageModel")}>
          <option value="">{text("noModel")}</option>
          {models.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
      <button class="primary">{text("newPage")}</button>
    </form>
  );
}
