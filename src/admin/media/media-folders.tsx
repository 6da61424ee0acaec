/** The folders in a folder of the library, and the way up; renaming and deleting the folder that is shown. */
import { useEffect, useState } from "preact/hooks";
import { ApiError, get, request, type RecordLink } from "../api.ts";
import { Labelled } from "../fields/field-messages.tsx";
import { text } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { may } from "../session.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { DRAGGED_FILE } from "./media-grid.tsx";
import { UsesDialog } from "./media-uses.tsx";

interface Folder {
  readonly id: number;
  readonly title: string;
}

interface FolderListing {
  readonly folders: readonly Folder[];
  /** Without an id: the top of the library. */
  readonly parent_folder: Partial<Folder> & { readonly title: string; readonly updir: number | null };
}

interface MediaFoldersProps {
  /** null: the top */
  readonly folder: number | null;
  readonly onOpen: (folder: number | null) => void;
  /** @param to the folder that a file was dropped on; null: the top */
  readonly onDropped: (file: number, to: number | null) => void;
}

export function MediaFolders({ folder, onOpen, onDropped }: MediaFoldersProps) {
  const [listing, setListing] = useState<FolderListing | undefined>(undefined);
  const load = (): void => {
    const path = folder === null ? "media-folders/" : `media-folders/${folder}/`;
    get<FolderListing>(`${path}?items=1`).then(setListing, notifyFailure);
  };
  useEffect(load, [folder]);
  if (!listing) return null;
  const { folders, parent_folder: here } = listing;
  const above = here.updir === null ? "media" : `media?folder=${here.updir}`;
  const target = (to: number | null) => ({
    onDragOver: (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes(DRAGGED_FILE)) event.preventDefault();
    },
    onDrop: (event: DragEvent): void => {
      const id = event.dataTransfer?.getData(DRAGGED_FILE) ?? "";
      if (id === "") return;
      event.preventDefault();
      onDropped(Number(id), to);
    },
  });
  return (
    <nav class="folders" aria-label={text("folders")}>
      {folder !== null && (
        <a {...target(here.updir)} href={hrefOf(above)}>
          ← {text("folderAbove")}
        </a>
      )}
      {folder !== null && <strong aria-current="page">{here.title}</strong>}
      {here.id !== undefined && here.id === folder && (
        <FolderVerbs
          folder={{ id: here.id, title: here.title }}
          onRenamed={load}
          onDeleted={() => onOpen(here.updir)}
        />
      )}
      {folders.map(({ id, title }) => (
        <a key={id} {...target(id)} href={hrefOf(`media?folder=${id}`)}>
          {title}
        </a>
      ))}
    </nav>
  );
}

interface FolderVerbsProps {
  readonly folder: Folder;
  readonly onRenamed: () => void;
  readonly onDeleted: () => void;
}

function FolderVerbs({ folder: { id, title }, onRenamed, onDeleted }: FolderVerbsProps) {
  const [asked, setAsked] = useState<"rename" | "delete" | undefined>(undefined);
  const [uses, setUses] = useState<readonly RecordLink[]>([]);
  const close = (): void => {
    setAsked(undefined);
    setUses([]);
  };
  const run = async (write: () => Promise<unknown>, done: string, onDone: () => void): Promise<void> => {
    try {
      await write();
      close();
      notify(done);
      onDone();
    } catch (error) {
      if (error instanceof ApiError && error.links.length > 0) setUses(error.links);
      else notifyFailure(error);
    }
  };
  const rename = (form: FormData): Promise<void> => {
    const body = { title: String(form.get("title")).trim() };
    return run(() => request("PATCH", `media-folders/${id}/`, { body }), text("saved"), onRenamed);
  };
  const remove = (query = ""): Promise<void> =>
    run(() => request("DELETE", `media-folders/${id}/${query}`), text("deleted"), onDeleted);
  return (
    <span class="actions">
      {may("change_mediafolder") && (
        <button class="quiet" onClick={() => setAsked("rename")}>
          {text("renameFolder")}
        </button>
      )}
      {may("delete_mediafolder") && (
        <button class="quiet danger" onClick={() => setAsked("delete")}>
          {text("deleteFolder")}
        </button>
      )}
      {asked === "rename" && (
        <FormDialog
          title={text("renameFolder")}
          verb={text("rename")}
          onClose={close}
          onSubmit={(form) => void rename(form)}
        >
          <Labelled path="title" label={text("name")} hint={text("renameFolderHint")}>
            {(control) => <input {...control} name="title" defaultValue={title} autofocus required />}
          </Labelled>
        </FormDialog>
      )}
      {asked === "delete" && (
        <UsesDialog
          title={text("deleteTitle", { name: title })}
          hint={text(uses.length > 0 ? "deleteFolderUsed" : "deleteFolderHint", { count: uses.length })}
          verb={text(uses.length > 0 ? "deleteForGood" : "delete")}
          links={uses}
          onSubmit={() => void remove(uses.length > 0 ? "?confirm=true" : "")}
          onClose={close}
        />
      )}
    </span>
  );
}
