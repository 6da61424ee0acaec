/** By format, `url 400w, url 800w` in ascending width; a format without renditions has no key. */
export function srcsets(
  renditions: readonly { readonly format: string; readonly width: number; readonly url: string }[],
): { readonly [format: string]: string } {
  const sorted = renditions.toSorted((a, b) => a.width - b.width);
  const formats = [...new Set(renditions.map(({ format }) => format))];
  return Object.fromEntries(
    formats.map((format) => [
      format,
      sorted
        .filter((each) => each.format === format)
        .map(({ url, width }) => `${url} ${width}w`)
        .join(", "),
    ]),
  );
}
