/** The media library: files of a folder as a grid or list, uploads, and the details of one file. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { text } from "../i18n.ts";
import { go, route } from "../router.ts";
import { may } from "../session.ts";
import { contentLanguage } from "../site.ts";
import { InlineForm } from "../ui/inline-form.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { MediaDetails } from "./media-details.tsx";
import { MediaFolders } from "./media-folders.tsx";
import { MediaGrid } from "./media-grid.tsx";
import { findMedia, type MediaItem, type MediaPage } from "./media-item.ts";
import { MediaTable } from "./media-table.tsx";
import { Uploads } from "./uploads.tsx";

/** What is shown is in the address, so that going back shows it again. */
function show(changes: Readonly<Record<string, string>>, replaces = false): void {
  const next = new URLSearchParams(route.value.query);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  go(`media?${next}`, { replaces });
}

export function MediaScreen() {
  const { query } = route.value;
  const folder = query.get("folder") === null ? null : Number(query.get("folder"));
  const search = query.get("search") ?? "";
  const isTrash = query.has("trash");
  const [version, setVersion] = useState(0);
  const [items, setItems] = useState<readonly MediaItem[]>([]);
  const [found, setFound] = useState<MediaPage["paginator"] | undefined>(undefined);
  const load = async (page: number, signal: AbortSignal): Promise<void> => {
    try {
      // A search finds files of every folder.
      const answer = await findMedia(search, page, signal, isTrash ? { isTrash } : search === "" ? { folder } : {});
      setItems((all) => (page === 1 ? answer.items : [...all, ...answer.items]));
      setFound(answer.paginator);
    } catch (error) {
      if (!signal.aborted) notifyFailure(error);
    }
  };
  useEffect(() => {
    const leaving = new AbortController();
    if (contentLanguage.value !== "") void load(1, leaving.signal);
    return () => leaving.abort();
  }, [folder, search, isTrash, version, contentLanguage.value]);
  const file = query.get("file");
  const [linked, setLinked] = useState<MediaItem | undefined>(undefined);
  const opened = [...items, ...(linked ? [linked] : [])].find(({ id }) => String(id) === file);
  useEffect(() => {
    if (file !== null && !opened) get<MediaItem>(`media/${encodeURIComponent(file)}/`).then(setLinked, notifyFailure);
  }, [file]);
  const move = async (id: number, to: number | null): Promise<void> => {
    try {
      await request("PATCH", `media/${id}/`, { body: { folder: to } });
      setItems((all) => (search === "" ? all.filter((each) => each.id !== id) : all));
      notify(text("movedFile"));
    } catch (error) {
      notifyFailure(error);
    }
  };
  const openFolder = (id: number | null): void => show({ folder: String(id ?? ""), search: "" });
  const createFolder = async (title: string): Promise<void> => {
    const { value } = await request<{ id: number }>("POST", "media-folders/", { body: { title, updir: folder } });
    openFolder(value.id);
  };
  const open = ({ id }: MediaItem): void => show({ file: String(id) }, true);
  const isDraggable = !isTrash && may("change_media");
  const files =
    query.get("as") === "list" ? (
      <MediaTable items={items} isDraggable={isDraggable} onOpen={open} />
    ) : (
      <MediaGrid items={items} isDraggable={isDraggable} onSelect={open} />
    );
  return (
    <>
      <div class="heading">
        <ScreenTitle name={text("media")} />
        {!isTrash && may("add_mediafolder") && (
          <InlineForm key={folder} label={text("newFolderTitle")} verb={text("newFolder")} onSubmit={createFolder} />
        )}
      </div>
      <Filters />
      {isTrash ? (
        <>
          <p class="hint">{text("trashHint")}</p>
          {files}
        </>
      ) : (
        <>
          <MediaFolders folder={folder} onOpen={openFolder} onDropped={(id, to) => void move(id, to)} />
          <Uploads folder={folder} onUploaded={(item) => setItems((all) => [item, ...all])}>
            {files}
          </Uploads>
        </>
      )}
      <p class="foot" role="status">
        {found && text("fileCount", { count: Math.max(found.count, items.length) })}
      </p>
      {found?.has_next && (
        <button onClick={() => void load(found.page + 1, new AbortController().signal)}>{text("showMore")}</button>
      )}
      {opened && (
        <MediaDetails
          key={opened.id}
          item={opened}
          onClose={() => show({ file: "" }, true)}
          onChanged={(item) => {
            setLinked(item);
            setItems((all) => all.map((each) => (each.id === item.id ? item : each)));
          }}
          onRestored={() => setVersion((before) => before + 1)}
          onDeleted={() => {
            setLinked(undefined);
            setItems((all) => all.filter(({ id }) => id !== opened.id));
            setFound((before) => before && { ...before, count: before.count - 1 });
            show({ file: "" }, true);
          }}
        />
      )}
    </>
  );
}

function Filters() {
  const { query } = route.value;
  const isList = query.get("as") === "list";
  return (
    <div class="filters" role="search">
      <SearchField
        label={text("searchMedia")}
        initial={query.get("search") ?? ""}
        onSearch={(search) => show({ search }, true)}
      />
      <div class="tabs" role="group" aria-label={text("shownAs")}>
        <button aria-pressed={!isList} onClick={() => show({ as: "" }, true)}>
          {text("grid")}
        </button>
        <button aria-pressed={isList} onClick={() => show({ as: "list" }, true)}>
          {text("list")}
        </button>
      </div>
      <button
        aria-pressed={query.has("trash")}
        onClick={() => show(query.has("trash") ? { trash: "" } : { trash: "1", folder: "" })}
      >
        {text("trash")}
      </button>
    </div>
  );
}
