import type { NestedMedia } from "../cms/cms-types";

interface Props {
  media: NestedMedia;
  /** The width that the picture has on the page. */
  sizes: string;
  alt?: string;
  isFirst?: boolean;
}

export function Picture({ media, sizes, alt = media.alt_text ?? "", isFirst = false }: Props) {
  const { width, height } = media.image_props;
  const srcSet = (format: string) =>
    Object.values(media.renditions)
      .filter((rendition) => rendition.format === format)
      .sort((a, b) => a.width - b.width)
      .map((rendition) => `${rendition.url} ${rendition.width}w`)
      .join(", ");
  return (
    <picture>
      {["avif", "webp"].map(
        (format) =>
          srcSet(format) && <source key={format} type={`image/${format}`} srcSet={srcSet(format)} sizes={sizes} />,
      )}
      <img
        src={media.file}
        srcSet={srcSet("original")}
        sizes={sizes}
        alt={alt}
        width={width ?? undefined}
        height={height ?? undefined}
        loading={isFirst ? "eager" : "lazy"}
      />
    </picture>
  );
}
