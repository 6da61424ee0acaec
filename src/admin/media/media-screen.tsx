/** The media library: files of a folder as a grid or list, uploads, and the details of one file. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { text } from "../i18n.ts";
import { goWith, route } from "../router.ts";
import { may } from "../session.ts";
import { BulkBar } from "../ui/bulk-bar.tsx";
import { InlineForm } from "../ui/inline-form.tsx";
import { attempt, notify, notifyFailure } from "../ui/notices.tsx";
import { usePages } from "../ui/loaded.ts";
import { ScreenTitle } from "../ui/screen-title.tsx";
import { SearchField } from "../ui/search-field.tsx";
import { mayTrash, MediaDetails, trashVerbs } from "./media-details.tsx";
import { MediaFolders } from "./media-folders.tsx";
import { MediaGrid } from "./media-grid.tsx";
import { fileName, findMedia, type MediaItem } from "./media-item.ts";
import { MediaTable } from "./media-table.tsx";
import { Uploads } from "./uploads.tsx";

export function MediaScreen() {
  const { query } = route.value;
  const folder = query.get("folder") === null ? null : Number(query.get("folder"));
  const search = query.get("search") ?? "";
  const isTrash = query.has("trash");
  const [version, setVersion] = useState(0);
  const { items, setItems, found, setFound, more } = usePages(
    // A search finds files of every folder.
    (page, signal) => findMedia(search, page, signal, isTrash ? { isTrash } : search === "" ? { folder } : {}),
    [folder, search, isTrash, version],
  );
  const file = query.get("file");
  const [linked, setLinked] = useState<MediaItem | undefined>(undefined);
  const opened = [...items, ...(linked ? [linked] : [])].find(({ id }) => String(id) === file);
  useEffect(() => {
    if (file !== null && !opened) get<MediaItem>(`media/${encodeURIComponent(file)}/`).then(setLinked, notifyFailure);
  }, [file]);
  const move = (id: number, to: number | null): Promise<void> =>
    attempt(async () => {
      await request("PATCH", `media/${id}/`, { body: { folder: to } });
      setItems((all) => (search === "" ? all.filter((each) => each.id !== id) : all));
      notify(text("movedFile"));
    });
  const openFolder = (id: number | null): void => goWith({ folder: String(id ?? ""), search: "" }, false);
  const createFolder = async (title: string): Promise<void> => {
    const { value } = await request<{ id: number }>("POST", "media-folders/", { body: { title, updir: folder } });
    openFolder(value.id);
  };
  const open = ({ id }: MediaItem): void => goWith({ file: String(id) });
  const isDraggable = !isTrash && may("change_media");
  const [checked, setChecked] = useState<ReadonlySet<number>>(new Set());
  const checkOf = (item: MediaItem) => (
    <input
      type="checkbox"
      aria-label={text("selectPage", { name: fileName(item) })}
      checked={checked.has(item.id)}
      onChange={({ currentTarget }) =>
        setChecked(new Set([...checked, item.id].filter((id) => id !== item.id || currentTarget.checked)))
      }
    />
  );
  const shared = { items, isDraggable, checkOf: isTrash && mayTrash() ? checkOf : undefined };
  const files =
    query.get("as") === "list" ? <MediaTable {...shared} onOpen={open} /> : <MediaGrid {...shared} onSelect={open} />;
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
          <BulkBar
            label={text("selectedFiles")}
            selected={checked}
            verbs={trashVerbs()}
            onSelect={setChecked}
            onDone={() => setVersion(version + 1)}
          />
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
      {found?.has_next && <button onClick={more}>{text("showMore")}</button>}
      {opened && (
        <MediaDetails
          key={opened.id}
          item={opened}
          onClose={() => goWith({ file: "" })}
          onChanged={(item) => {
            setLinked(item);
            setItems((all) => all.map((each) => (each.id === item.id ? item : each)));
          }}
          onRestored={() => setVersion((before) => before + 1)}
          onDeleted={() => {
            setLinked(undefined);
            setItems((all) => all.filter(({ id }) => id !== opened.id));
            setFound((before) => before && { ...before, count: before.count - 1 });
            goWith({ file: "" });
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
        onSearch={(search) => goWith({ search })}
      />
      <div class="tabs" role="group" aria-label={text("shownAs")}>
        <button aria-pressed={!isList} onClick={() => goWith({ as: "" })}>
          {text("grid")}
        </button>
        <button aria-pressed={isList} onClick={() => goWith({ as: "list" })}>
          {text("list")}
        </button>
      </div>
      <button
        aria-pressed={query.has("trash")}
        onClick={() => goWith(query.has("trash") ? { trash: "" } : { trash: "1", folder: "" }, false)}
      >
        {text("trash")}
      </button>
    </div>
  );
}
