/** All pages: as a tree, or as the list that a search or filter finds. */
import { text } from "../i18n.ts";
import { goWith, route } from "../router.ts";
import { contentLanguage } from "../site.ts";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { FoundPages } from "./list/found-pages.tsx";
import { isNarrowed, listQuery, PageFilters, useMine } from "./list/page-filters.tsx";
import { PageTree } from "./list/page-tree.tsx";
import { NewPageButton } from "./new-page.tsx";

export function PageList() {
  const lang = contentLanguage.value;
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("pages")} />
        <div class="tools">
          <LanguageTabs />
          <NewPageButton />
        </div>
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
