/** Uploading files: chosen, dropped or pasted; many at once, each with its progress and a second attempt. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { ApiError } from "../api.ts";
import { text } from "../i18n.ts";
import { may } from "../session.ts";
import { uploadFile, type MediaItem } from "./media-item.ts";

interface Upload {
  readonly number: number;
  readonly file: File;
  readonly isAlone: boolean;
  /** From 0 to 1. */
  readonly share: number;
  /** Why it failed. */
  readonly failure?: string;
}

interface UploadsProps {
  readonly folder: number | null;
  /** @param isAlone whether no other file was taken with it */
  readonly onUploaded: (item: MediaItem, isAlone: boolean) => void;
  readonly children: ComponentChildren;
}

/** Files that are sent at the same time: more would share one line. */
const AT_ONCE = 3;
let last = 0;

/** An area that takes files, of an account that may add some. */
export const Uploads = (props: UploadsProps) => (may("add_media") ? <UploadArea {...props} /> : <>{props.children}</>);

function UploadArea({ folder, onUploaded, children }: UploadsProps) {
  const uploads = useSignal<readonly Upload[]>([]);
  const isOver = useSignal(false);
  const change = (number: number, values: Partial<Upload>): void => {
    uploads.value = uploads.value.map((each) => (each.number === number ? { ...each, ...values } : each));
  };
  const send = async ({ number, file, isAlone }: Upload): Promise<void> => {
    change(number, { share: 0, failure: undefined });
    try {
      const item = await uploadFile(file, folder, (share) => change(number, { share }));
      uploads.value = uploads.value.filter((each) => each.number !== number);
      onUploaded(item, isAlone);
    } catch (error) {
      change(number, { failure: (error instanceof ApiError && error.message) || text("offline") });
    }
  };
  const take = async (files: Iterable<File>): Promise<void> => {
    const taken = [...files];
    const waiting = taken.map((file): Upload => ({ number: ++last, file, share: 0, isAlone: taken.length === 1 }));
    uploads.value = [...uploads.value, ...waiting];
    const sendNext = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await send(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, sendNext));
  };
  useEffect(() => {
    const onPaste = ({ clipboardData }: ClipboardEvent): void => void take(clipboardData?.files ?? []);
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, [folder]);
  return (
    <div
      class={isOver.value ? "uploads over" : "uploads"}
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        isOver.value = false;
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        void take(event.dataTransfer.files);
      }}
    >
      <p class="upload">
        <label class="button">
          {text("upload")}
          <input
            type="file"
            multiple
            onChange={({ currentTarget }) => {
              void take(currentTarget.files ?? []);
              currentTarget.value = "";
            }}
          />
        </label>
        <small>{text("uploadHint")}</small>
      </p>
      <ul class="progress" aria-label={text("uploadsRunning")}>
        {uploads.value.map((upload) => (
          <li key={upload.number}>
            {upload.file.name}{" "}
            {upload.failure === undefined ? (
              <progress value={upload.share} aria-label={upload.file.name} />
            ) : (
              <>
                <span role="alert">{upload.failure}</span>{" "}
                <button type="button" onClick={() => void send(upload)}>
                  {text("tryAgain")}
                </button>
              </>
            )}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
