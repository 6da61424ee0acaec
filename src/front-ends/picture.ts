/** The attributes of a `<picture>`, from the renditions of a media item. */

/** A picture of the service, as payloads have it. */
export interface PictureMedia {
  readonly file: string;
  readonly alt_text?: string | null;
  readonly image_props: { readonly width?: number; readonly height?: number };
  readonly renditions: {
    readonly [name: string]: { readonly url: string; readonly width: number; readonly format: string };
  };
}

export interface PictureOptions {
  /** The width that the picture has on the page, as in the attribute; "100vw" by default. */
  readonly sizes?: string;
  /** In place of that of the media item. */
  readonly alt?: string;
  /** Whether it is seen first, so that it is not loaded lazily. */
  readonly isFirst?: boolean;
}

/** The attributes of `<source>` in a `<picture>`, in the order of preference, and of its `<img>`. */
export interface PictureAttributes {
  readonly sources: readonly { readonly type: string; readonly srcset: string; readonly sizes: string }[];
  readonly img: {
    readonly src: string;
    readonly srcset?: string;
    readonly sizes?: string;
    readonly alt: string;
    readonly width?: number;
    readonly height?: number;
    readonly loading: "eager" | "lazy";
  };
}

/** A `<picture>` with the renditions of a media item: AVIF and WebP where there are some, then the format of the file. */
export function picture(media: PictureMedia, options: PictureOptions = {}): PictureAttributes {
  const { sizes = "100vw", alt = media.alt_text ?? "", isFirst = false } = options;
  const srcset = (format: string): string =>
    Object.values(media.renditions)
      .filter((rendition) => rendition.format === format)
      .sort((a, b) => a.width - b.width)
      .map((rendition) => `${rendition.url} ${rendition.width}w`)
      .join(", ");
  const own = srcset("original");
  const { width, height } = media.image_props;
  return {
    sources: ["avif", "webp"].flatMap((format) =>
      srcset(format) === "" ? [] : [{ type: `image/${format}`, srcset: srcset(format), sizes }],
    ),
    img: {
      src: media.file,
      ...(own !== "" && { srcset: own, sizes }),
      alt,
      ...(width !== undefined && { width }),
      ...(height !== undefined && { height }),
      loading: isFirst ? "eager" : "lazy",
    },
  };
}
