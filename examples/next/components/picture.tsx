import { pictureProps } from "git-cms/next";
import type { PictureOptions } from "git-cms/client";
import type { NestedMedia } from "../cms/cms-types";

export function Picture({ media, ...options }: { media: NestedMedia } & PictureOptions) {
  const { sources, img } = pictureProps(media, options);
  return (
    <picture>
      {sources.map((source) => (
        <source key={source.type} {...source} />
      ))}
      <img {...img} />
    </picture>
  );
}
