/** The articles of the site, newest first. */
import { request } from "../api.ts";
import { showDay, text } from "../i18n.ts";
import { isList, isRecord, type Values } from "../json.ts";
import { RecordList } from "../records/record-list.tsx";
import { go } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { InlineForm } from "../ui/inline-form.tsx";
import { LanguageTabs } from "../ui/language-tabs.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import type { Status } from "../pages/page-record.ts";

const FIELDS = "id,title,permalink,status,tags__name,has_draft,has_scheduled_draft,date_updated_at";

export function ArticleList() {
  const lang = contentLanguage.value;
  const query = new URLSearchParams({ fields: FIELDS, language: lang, fltr: "alive=true" });
  return (
    <RecordList
      title={text("articles")}
      more={
        <>
          <LanguageTabs />
          {may("add_article") && <NewArticle />}
        </>
      }
      path={`articles/?${query}`}
      searchLabel={text("searchArticles")}
      screenOf={({ id }) => `articles/${String(id)}?lang=${lang}`}
      columns={[
        { name: text("title"), show: ({ id, title }) => String(title || `#${String(id)}`) },
        { name: text("status"), show: (article) => <State article={article} /> },
        { name: text("tags"), show: ({ tags }) => (isList(tags) ? tags.map(tagName).join(", ") : "") },
        { name: text("changed"), show: ({ date_updated_at: at }) => showDay(String(at)) },
      ]}
    />
  );
}

const tagName = (tag: Values[string]): string => (isRecord(tag) ? String(tag.name ?? "") : "");

function State({ article }: { article: Values }) {
  const note = article.has_scheduled_draft
    ? "scheduledDraft"
    : article.has_draft && article.status !== "DRF"
      ? "pendingDraft"
      : undefined;
  return (
    <>
      <StatusBadge status={article.status as Status} /> {note && <span class="badge">{text(note)}</span>}
    </>
  );
}

/** Asks for a title, since an article needs one for its address. */
function NewArticle() {
  const create = async (title: string): Promise<void> => {
    const lang = contentLanguage.value;
    const { value } = await request<{ id: number }>("POST", `articles/?language=${lang}`, { body: { title } });
    go(`articles/${value.id}?lang=${lang}`);
  };
  return <InlineForm label={text("newArticleTitle")} verb={text("newArticle")} isPrimary onSubmit={create} />;
}
