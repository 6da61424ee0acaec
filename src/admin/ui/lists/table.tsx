/** Records as rows; on a narrow screen each row is a block of its values with their names. */
import type { ComponentChildren, HTMLAttributes } from "preact";
import { text } from "../../i18n.ts";

export interface Column<Row> {
  readonly name: string;
  readonly show: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly class?: string;
  /** The first one tells the rows apart; one without a name has what can be done with them. */
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly attributesOf?: (row: Row) => HTMLAttributes<HTMLTableRowElement>;
}

export const Table = <Row,>({ class: look = "", columns, rows, keyOf, attributesOf }: TableProps<Row>) => (
  <table class={`list ${look}`}>
    <thead>
      <tr>
        {columns.map(({ name }, at) =>
          name === "" ? (
            <td key={at} />
          ) : (
            <th key={at} scope="col">
              {name}
            </th>
          ),
        )}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <tr key={keyOf(row)} {...attributesOf?.(row)}>
          {columns.map(({ name, show }, at) => (
            <td key={at} data-label={at === 0 || name === "" ? undefined : name}>
              {show(row)}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** How many rows there are, below them. */
export const RowCount = ({ count, children }: { readonly count: number; readonly children?: ComponentChildren }) => (
  <p class="foot" role="status">
    {count === 0 ? text("nothingFound") : text("recordCount", { count })} {children}
  </p>
);
