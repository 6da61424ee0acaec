/** One file: its texts, where it is used, its other sizes; replacing, moving, trashing and deleting it. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, request, type RecordLink } from "../api.ts";
import { text } from "../i18n.ts";
import { MEDIA_MODEL, remember } from "../records/known-records.ts";
import { may } from "../session.ts";
import type { BulkVerb } from "../ui/bulk-bar.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { attempt, notify, notifyFailure, offerUndo } from "../ui/notices.tsx";
import { fileName, isInTrash, replaceFile, showSize, type MediaItem } from "./media-item.ts";
import { MediaTexts } from "./media-texts.tsx";
import { UseList, UsesDialog } from "./media-uses.tsx";
import { noteReplaced, smallPicture } from "./small-picture.ts";

interface MediaDetailsProps {
  readonly item: MediaItem;
  readonly onClose: () => void;
  readonly onChanged: (item: MediaItem) => void;
  /** Called when it is no longer in the list that it was opened from: it is deleted, in the trash, or out of it. */
  readonly onDeleted: () => void;
  /** Called when it is back in that list, perhaps long after the details were closed. */
  readonly onRestored: () => void;
}

export const mayTrash = (): boolean => may("change_media") || may("delete_media");

/** What is done with several files of the trash. */
export const trashVerbs = (): readonly BulkVerb[] => [
  {
    ...{ name: "restore", title: "restoreFiles", hint: "trashHint" },
    run: (id) => request("POST", `media/${id}/restore/`).then(() => true),
  },
  ...(may("delete_media")
    ? [
        {
          ...({ name: "deleteForGood", title: "deleteFiles", hint: "deleteRecord", isDanger: true } as const),
          run: (id: number) => request("DELETE", `media/${id}/`).then(() => true),
        },
      ]
    : []),
];

export function MediaDetails({ item, onClose, onChanged, onDeleted, onRestored }: MediaDetailsProps) {
  const { width, height } = item.image_props;
  const isShown = !isInTrash(item);
  return (
    <Dialog title={item.title || fileName(item)} onClose={onClose} isWide>
      <div class="details">
        <div>
          {smallPicture(item) && <img src={smallPicture(item)} alt="" />}
          <p class="address">
            {isShown ? (
              <a href={item.file} target="_blank">
                {fileName(item)}
              </a>
            ) : (
              `${text("TRS")}:`
            )}{" "}
            {item.mime_type}, {showSize(item.size)}
            {width !== undefined && `, ${width} × ${height}`}
          </p>
          <Uses item={item} />
          {isShown && <Renditions item={item} />}
        </div>
        <div>
          <MediaTexts item={item} fields={["alt_text", "title", "description"]} onSaved={onChanged} />
        </div>
      </div>
      <div class="actions bottom">
        {isShown && may("change_media") && <Replace item={item} onChanged={onChanged} />}
        {isShown && may("change_media") && <Move item={item} onChanged={onChanged} />}
        {isShown && mayTrash() && <Trash item={item} onDeleted={onDeleted} onRestored={onRestored} />}
        {!isShown && mayTrash() && (
          <button class="primary" onClick={() => void restoreFile(item.id, onDeleted)}>
            {text("restore")}
          </button>
        )}
        {!isShown && may("delete_media") && <Delete item={item} onDeleted={onDeleted} />}
        <button onClick={onClose}>{text("close")}</button>
      </div>
    </Dialog>
  );
}

function Uses({ item: { links } }: { item: MediaItem }) {
  return (
    <>
      <h3>{text("usedIn")}</h3>
      {links.length === 0 ? <p class="hint">{text("notUsed")}</p> : <UseList links={links} />}
    </>
  );
}

function Renditions({ item: { renditions } }: { item: MediaItem }) {
  const all = Object.entries(renditions);
  if (all.length === 0) return null;
  return (
    <details>
      <summary>{text("renditions", { count: all.length })}</summary>
      <ul>
        {all.map(([name, { url, width, height, size }]) => (
          <li key={name}>
            <a href={url} target="_blank">
              {name}
            </a>{" "}
            {width} × {height}, {showSize(size)}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Replace({ item, onChanged }: Pick<MediaDetailsProps, "item" | "onChanged">) {
  const [share, setShare] = useState<number | undefined>(undefined);
  const replace = async (file: File | undefined): Promise<void> => {
    if (!file || share !== undefined) return;
    setShare(0);
    await attempt(async () => {
      const replaced = await replaceFile(item.id, file, setShare);
      noteReplaced();
      remember(MEDIA_MODEL, replaced);
      onChanged(replaced);
      notify(text("replaced"));
    });
    setShare(undefined);
  };
  // The field stays during the upload, since it has the focus.
  return (
    <>
      <label class="button">
        {text("replaceFile")}
        <input type="file" onChange={({ currentTarget }) => void replace(currentTarget.files?.[0])} />
      </label>
      {share !== undefined && <progress value={share} aria-label={text("replaceFile")} />}
    </>
  );
}

interface NamedFolder {
  readonly id: number;
  readonly title: string;
}

/** To another folder; the API lists the folders of one folder only, so it offers those at the top and here. */
function Move({ item, onChanged }: Pick<MediaDetailsProps, "item" | "onChanged">) {
  const [folders, setFolders] = useState<readonly NamedFolder[]>([]);
  useEffect(() => {
    const here = item.folder === null ? [] : [`media-folders/${item.folder}/`];
    Promise.all(
      ["media-folders/", ...here].map((path) =>
        get<{ folders: readonly NamedFolder[]; parent_folder: Partial<NamedFolder> }>(`${path}?items=1`),
      ),
    ).then((listings) => {
      const all = listings.flatMap(({ folders: inside, parent_folder: { id, title = "" } }) =>
        id === undefined ? inside : [{ id, title }, ...inside],
      );
      setFolders([...new Map(all.map((folder) => [folder.id, folder])).values()]);
    }, notifyFailure);
  }, []);
  const move = (folder: number | null): Promise<void> =>
    attempt(async () => {
      onChanged((await request<MediaItem>("PATCH", `media/${item.id}/`, { body: { folder } })).value);
      notify(text("saved"));
    });
  return (
    <select
      aria-label={text("folder")}
      value={item.folder ?? ""}
      onChange={({ currentTarget: { value } }) => void move(value === "" ? null : Number(value))}
    >
      <option value="">{text("topFolder")}</option>
      {folders.map(({ id, title }) => (
        <option key={id} value={id}>
          {title}
        </option>
      ))}
    </select>
  );
}

/** To the trash, which is asked about only where the file is used, and can be undone. */
function Trash({ item, onDeleted, onRestored }: Pick<MediaDetailsProps, "item" | "onDeleted" | "onRestored">) {
  const [uses, setUses] = useState<readonly RecordLink[]>([]);
  const trash = async (query = ""): Promise<void> => {
    try {
      await request("POST", `media/${item.id}/trash/${query}`);
      onDeleted();
      offerUndo(text("fileTrashed", { name: fileName(item) }), () => void restoreFile(item.id, onRestored));
    } catch (error) {
      if (query === "" && error instanceof ApiError && error.links.length > 0) setUses(error.links);
      else notifyFailure(error);
    }
  };
  return (
    <>
      <button class="danger" onClick={() => void trash()}>
        {text("moveToTrash")}
      </button>
      {uses.length > 0 && (
        <UsesDialog
          title={text("trashTitle", { name: fileName(item) })}
          hint={text("trashUsed", { count: uses.length })}
          verb={text("moveToTrash")}
          links={uses}
          onSubmit={() => void trash("?confirm=true")}
          onClose={() => setUses([])}
        />
      )}
    </>
  );
}

const restoreFile = (id: number, onRestored: () => void): Promise<void> =>
  attempt(async () => {
    await request("POST", `media/${id}/restore/`);
    notify(text("fileRestored"));
    onRestored();
  });

function Delete({ item, onDeleted }: Pick<MediaDetailsProps, "item" | "onDeleted">) {
  const [isAsking, setAsking] = useState(false);
  const remove = (): Promise<void> =>
    attempt(async () => {
      await request("DELETE", `media/${item.id}/`);
      notify(text("deleted"));
      onDeleted();
    });
  return (
    <>
      <button class="danger" onClick={() => setAsking(true)}>
        {text("deleteForGood")}
      </button>
      {isAsking && (
        <UsesDialog
          title={text("deleteTitle", { name: fileName(item) })}
          hint={text(item.links.length > 0 ? "deleteUsed" : "deleteUnused", { count: item.links.length })}
          verb={text("deleteForGood")}
          links={item.links}
          onSubmit={() => void remove()}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
