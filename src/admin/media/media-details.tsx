/** One file: its texts, where it is used, its other sizes; replacing, moving and deleting it. */
import { useEffect, useState } from "preact/hooks";
import { get, request } from "../api.ts";
import { text } from "../i18n.ts";
import { hrefOf } from "../router.ts";
import { may } from "../session.ts";
import { Dialog } from "../ui/dialog.tsx";
import { notify, notifyFailure } from "../ui/notices.tsx";
import { fileName, replaceFile, showSize, type MediaItem } from "./media-item.ts";
import { MediaTexts } from "./media-texts.tsx";
import { smallPicture } from "./small-picture.ts";

interface MediaDetailsProps {
  readonly item: MediaItem;
  readonly onClose: () => void;
  readonly onChanged: (item: MediaItem) => void;
  readonly onDeleted: () => void;
}

export function MediaDetails({ item, onClose, onChanged, onDeleted }: MediaDetailsProps) {
  const { width, height } = item.image_props;
  return (
    <Dialog title={item.title || fileName(item)} onClose={onClose} isWide>
      <div class="details">
        <div>
          {item.is_image && <img src={smallPicture(item) ?? item.file} alt="" />}
          <p class="address">
            <a href={item.file} target="_blank">
              {fileName(item)}
            </a>{" "}
            {item.mime_type}, {showSize(item.size)}
            {width !== undefined && `, ${width} × ${height}`}
          </p>
          <Uses item={item} />
          <Renditions item={item} />
        </div>
        <div>
          <MediaTexts item={item} fields={["alt_text", "title", "description"]} onSaved={onChanged} />
        </div>
      </div>
      <div class="actions bottom">
        {may("change_media") && <Replace item={item} onChanged={onChanged} />}
        {may("change_media") && <Move item={item} onChanged={onChanged} />}
        {may("delete_media") && <Delete item={item} onDeleted={onDeleted} />}
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

/** Screens by model; those of other models than pages. */
const PLACES: Readonly<Record<string, string | undefined>> = {
  Content: "blocks",
  Menu: "menus",
  Redirect: "redirects",
  MetaInstance: undefined,
};

const UseList = ({ links }: Pick<MediaItem, "links">) => (
  <ul>
    {links.map(({ model, name, id }) => {
      const place = model in PLACES ? PLACES[model] : `${model === "Article" ? "articles" : "pages"}/${id}`;
      return <li key={`${model} ${id}`}>{place === undefined ? name : <a href={hrefOf(place)}>{name}</a>}</li>;
    })}
  </ul>
);

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
    try {
      onChanged(await replaceFile(item.id, file, setShare));
      notify(text("replaced"));
    } catch (error) {
      notifyFailure(error);
    }
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
  const move = async (folder: number | null): Promise<void> => {
    try {
      onChanged((await request<MediaItem>("PATCH", `media/${item.id}/`, { body: { folder } })).value);
      notify(text("saved"));
    } catch (error) {
      notifyFailure(error);
    }
  };
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

function Delete({ item, onDeleted }: Pick<MediaDetailsProps, "item" | "onDeleted">) {
  const [isAsking, setAsking] = useState(false);
  const remove = async (): Promise<void> => {
    try {
      await request("DELETE", `media/${item.id}/`);
      notify(text("deleted"));
      onDeleted();
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <>
      <button class="danger" onClick={() => setAsking(true)}>
        {text("delete")}
      </button>
      {isAsking && (
        <Dialog title={text("deleteTitle", { name: fileName(item) })} onClose={() => setAsking(false)}>
          <p>{text(item.links.length > 0 ? "deleteUsed" : "deleteUnused", { count: item.links.length })}</p>
          {item.links.length > 0 && <UseList links={item.links} />}
          <div class="actions">
            <button class="danger" onClick={() => void remove()}>
              {text("delete")}
            </button>
            <button onClick={() => setAsking(false)}>{text("cancel")}</button>
          </div>
        </Dialog>
      )}
    </>
  );
}
