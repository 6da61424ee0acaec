/** The icons of block types and of the navigation: strokes in a square of 24. */

const PATHS: Readonly<Record<string, string>> = {
  block: "M4 4h16v16H4z",
  hero: "M3 5h18v14H3z M7 10h10 M9 14h6",
  text: "M4 6h16 M4 10h16 M4 14h16 M4 18h9",
  heading: "M6 5v14 M18 5v14 M6 12h12",
  image: "M3 5h18v14H3z M3 16l5-5 4 4 3-3 6 6 M15.5 9.5h.01",
  gallery: "M3 3h8v8H3z M13 3h8v8h-8z M3 13h8v8H3z M13 13h8v8h-8z",
  video: "M3 5h18v14H3z M10 9l5 3-5 3z",
  quote: "M5 17c3-1 4-3 4-6H4V6h6v5 M15 17c3-1 4-3 4-6h-5V6h6v5",
  button: "M3 8h18v8H3z M8 12h8",
  columns: "M3 4h18v16H3z M12 4v16",
  list: "M9 6h11 M9 12h11 M9 18h11 M4 6h.01 M4 12h.01 M4 18h.01",
  table: "M3 4h18v16H3z M3 10h18 M3 15h18 M10 4v16",
  people: "M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M3 19c0-3 3-5 6-5s6 2 6 5 M16 5a3 3 0 0 1 0 6 M18 14c2 1 3 3 3 5",
  calendar: "M4 5h16v15H4z M4 10h16 M8 3v4 M16 3v4",
  map: "M12 21c5-6 7-9 7-12a7 7 0 1 0-14 0c0 3 2 6 7 12z M12 11.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z",
  form: "M4 4h16v5H4z M4 12h16v3H4z M4 18h7v2H4z",
  code: "M8 7l-5 5 5 5 M16 7l5 5-5 5",
  question: "M9 9a3 3 0 1 1 4 3c-1 .5-1 1-1 2 M12 18h.01 M12 22a10 10 0 1 0 0-20 10 10 0 0 0 0 20z",
  home: "M3 11l9-8 9 8 M5 10v10h14V10 M10 20v-6h4v6",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z M15.5 15.5L21 21",
  menu: "M4 6h16 M4 12h16 M4 18h16",
  plus: "M12 5v14 M5 12h14",
  down: "M7 10l5 5 5-5",
  person: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8z M4 20c0-4 4-6 8-6s8 2 8 6",
  page: "M6 3h8l4 4v14H6z M14 3v4h4 M9 12h6 M9 16h6",
  comment: "M4 5h16v11H11l-4 4v-4H4z M8 9h8 M8 12h5",
  tag: "M4 4h8l8 8-8 8-8-8z M8.5 8.5h.01",
  parts: "M12 3l8 4.5v9L12 21l-8-4.5v-9z M4 7.5l8 4.5 8-4.5 M12 12v9",
  arrow: "M4 12h15 M13 6l6 6-6 6",
  gear: "M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M12 3v3 M12 18v3 M3 12h3 M18 12h3 M5.6 5.6l2.1 2.1 M16.3 16.3l2.1 2.1 M18.4 5.6l-2.1 2.1 M7.7 16.3l-2.1 2.1",
};

export const Icon = ({ name }: { readonly name: string }) => (
  <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
    <path d={PATHS[name] ?? PATHS.block} />
  </svg>
);
