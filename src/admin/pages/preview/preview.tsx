/** The real page beside the form: as the site's templates make it, or as a front end does, from what is typed. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { EditorMessage, PreviewedPage } from "../../../bridge/messages.ts";
import { ApiError, request } from "../../api.ts";
import { openSection } from "../../fields/blocks/open-section.ts";
import { text } from "../../i18n.ts";
import { isStaff, mayEdit } from "../../session.ts";
import { notifyFailure } from "../../ui/notices.tsx";
import type { PageState } from "../page-state.ts";
import { focusPageField } from "../settings/page-settings.tsx";
import { isSamePath, readMessage, typedValue } from "./page-messages.ts";
import { chosenPlace, choosePlace, previewPlaces, type PreviewPlace } from "./preview-sites.ts";

/** As wide as the room beside the form, or as a screen, which is then shown smaller; admin.css has their widths. */
const WIDTHS = ["fit", "desktop", "phone"] as const;
type Width = (typeof WIDTHS)[number];
/** In milliseconds, from one rendering to the next while typing goes on. */
const RENDER_INTERVAL = 40;
/** In milliseconds, from the end of loading. */
const SILENCE = 4_000;
/** A front end has its own cookies, and stays in its frame. */
const SANDBOX = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";

export function Preview({ page }: { page: PageState }) {
  const [width, setWidth] = useState<Width>("fit");
  const [loads, setLoads] = useState(0);
  const [places, setPlaces] = useState<readonly PreviewPlace[]>([]);
  useEffect(() => {
    if (isStaff()) previewPlaces(text("ownTemplates")).then(setPlaces, notifyFailure);
  }, []);
  const section = useRef<HTMLElement>(null);
  useRoom(section);
  const place = chosenPlace(places);
  const address = place?.addressOf(page);
  return (
    <section class="preview" aria-label={text("preview")} ref={section}>
      <div class="preview-bar">
        <div class="tabs" role="group" aria-label={text("previewWidth")}>
          {WIDTHS.map((each) => (
            <button key={each} aria-pressed={each === width} onClick={() => setWidth(each)}>
              {text(each)}
            </button>
          ))}
        </div>
        {places.length > 1 && (
          <select
            aria-label={text("previewPlace")}
            value={place?.id}
            onChange={(event) => choosePlace(event.currentTarget.value)}
          >
            {places.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button class="quiet" onClick={() => setLoads(loads + 1)}>
          {text("reloadPreview")}
        </button>
      </div>
      {place && address === undefined && <p>{text("noAddressToPreview")}</p>}
      {address && <Frame key={`${address.href} ${loads}`} {...{ page, address, width }} />}
    </section>
  );
}

/** CSS pixels, to the edges of the screen. */
const MARGIN = 16;

/** `--room` is the height from the top of the element to the bottom of the screen, while the screen scrolls, too. */
function useRoom(element: { readonly current: HTMLElement | null }): void {
  useLayoutEffect(() => {
    const { current } = element;
    const fit = (): void => {
      const top = Math.max(current!.getBoundingClientRect().top, MARGIN);
      current!.style.setProperty("--room", `${innerHeight - top - MARGIN}px`);
    };
    // What stands above it may come later.
    const moved = new ResizeObserver(fit);
    moved.observe(document.body);
    addEventListener("scroll", fit, { passive: true });
    addEventListener("resize", fit);
    return () => {
      moved.disconnect();
      removeEventListener("scroll", fit);
      removeEventListener("resize", fit);
    };
  }, []);
}

interface FrameProps {
  readonly page: PageState;
  /** It stays the same: another one has a frame of its own. */
  readonly address: URL;
  readonly width: Width;
}

function Frame({ page, address, width }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [shown] = useState(() => new ShownPage(page));
  const [elsewhere, setElsewhere] = useState<string | undefined>(undefined);
  const [isSilent, setSilent] = useState(false);
  const changes = page.body.value;
  const { date_updated_at: updated } = page.record.value;
  useEffect(() => {
    return shown.open(frame.current!, address, (path) => {
      setElsewhere(path);
      setSilent(false);
    });
  }, []);
  useEffect(() => shown.follow(), [changes, updated]);
  const section = openSection.value;
  useEffect(() => shown.outline(section), [section]);
  return (
    <>
      {elsewhere !== undefined && (
        <p role="status">
          {text("previewElsewhere", { path: elsewhere })}{" "}
          <button type="button" class="quiet" onClick={() => shown.reload()}>
            {text("backToPage")}
          </button>
        </p>
      )}
      {isSilent && <p role="status">{text("previewSilent")}</p>}
      <div class={`screen ${width}`}>
        <iframe
          ref={frame}
          onLoad={() => setTimeout(() => setSilent(shown.isSilent), SILENCE)}
          title={text("preview")}
          {...(address.origin !== location.origin && { sandbox: SANDBOX })}
        />
      </div>
    </>
  );
}

/** The page in the frame, by the messages of its bridge. */
class ShownPage {
  readonly #page: PageState;
  readonly #closed = new AbortController();
  #frame: HTMLIFrameElement | undefined;
  #address = new URL(location.href);
  /** The newest values. */
  #kept: Kept | undefined;
  /** Whether the page in the frame is the one that is edited, and hears. */
  #hears = false;
  #hasSpoken = false;
  /** With what its address has been opened; undefined: not yet. */
  #key: string | undefined;
  /** Keeps what is typed, and shows it. */
  follow = (): void => {};

  constructor(page: PageState) {
    this.#page = page;
  }

  /** @param elsewhere is told the path of another page that the frame shows; undefined: the page itself @returns the end */
  open(frame: HTMLIFrameElement, address: URL, elsewhere: (path: string | undefined) => void): () => void {
    const { signal } = this.#closed;
    this.#frame = frame;
    this.#address = address;
    this.follow = oneAtATime(() => this.#show(), signal);
    const hear = ({ source, origin, data }: MessageEvent): void => {
      if (source !== frame.contentWindow || origin !== address.origin) return;
      const message = readMessage(data);
      if (message?.type === "cms:ready") {
        this.#hasSpoken = true;
        this.#hears = isSamePath(message.path, address.pathname);
        elsewhere(this.#hears ? undefined : message.path);
        // What is known is shown at once.
        if (this.#kept) this.#send(this.#kept);
        this.follow();
      } else if (!this.#hears || !message) return;
      else if (message.type === "cms:input") this.#type(message.field, message.value);
      else focusPageField(message.field, { clicked: message.words, isSeenOnly: message.typed, isInPreview: true });
    };
    addEventListener("message", hear, { signal });
    this.follow();
    return () => this.#closed.abort();
  }

  /** Whether an address was loaded and no bridge has answered from there. */
  get isSilent(): boolean {
    return this.#key !== undefined && !this.#hasSpoken && !this.#closed.signal.aborted;
  }

  outline(section: string | undefined): void {
    this.#tell({ type: "cms:outline", ...(section !== undefined && { field: section }) });
  }

  /** Loads the page that is edited again. */
  reload(): void {
    this.#key = undefined;
    this.#hears = false;
    this.follow();
  }

  #load(key: string): void {
    const address = new URL(this.#address);
    address.searchParams.set("key", key);
    this.#key = key;
    this.#frame!.src = address.href;
  }

  /** What is typed in the page goes into the form, which keeps it. */
  #type(field: string, typed: string): void {
    const { values, collection, set } = this.#page;
    const found = mayEdit(collection)
      ? typedValue(values.value, this.#kept?.page.paths ?? {}, field, typed)
      : undefined;
    if (found) set(found.name, found.value);
  }

  async #show(): Promise<void> {
    const { signal } = this.#closed;
    const kept = await keepTyped(this.#page, signal);
    if (signal.aborted || !this.#frame) return;
    // What is not valid yet has no key: then the page is shown as it is, where its server can.
    if (this.#key === undefined || (this.#key === "" && kept && !this.#hears)) this.#load(kept?.key ?? "");
    if (kept) this.#send(kept);
  }

  #send(kept: Kept): void {
    this.#kept = kept;
    this.#tell({ type: "cms:payload", page: kept.page });
    this.#tell({ type: "cms:refresh", key: kept.key });
    this.outline(openSection.peek());
  }

  #tell(message: EditorMessage): void {
    if (this.#hears) this.#frame?.contentWindow?.postMessage(message, this.#address.origin);
  }
}

interface Kept {
  readonly key: string;
  readonly page: PreviewedPage;
}

/** @returns undefined where what is typed is not valid yet: saving says so at its field */
async function keepTyped(page: PageState, signal: AbortSignal): Promise<Kept | undefined> {
  const { collection, id, lang, body } = page;
  const path = `${collection}/${id}/live-preview/?paths=1&language=${encodeURIComponent(lang)}`;
  try {
    return (await request<Kept>("POST", path, { body: body.peek(), signal })).value;
  } catch (error) {
    const isInvalid = error instanceof ApiError && error.status === 400;
    if (!signal.aborted && !isInvalid) notifyFailure(error);
    return undefined;
  }
}

/**
 * Calls made while one is under way become one more call after it, at `RENDER_INTERVAL`: the preview follows while typing goes on, and
 * ends with the newest values, without more than one request at a time.
 */
function oneAtATime(run: () => Promise<void>, closed: AbortSignal): () => void {
  let isRunning = false;
  let isDue = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue && !closed.aborted) {
      isDue = false;
      await Promise.all([run(), new Promise((done) => setTimeout(done, RENDER_INTERVAL))]);
    }
    isRunning = false;
  };
}
