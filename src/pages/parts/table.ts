import { type Content, type Html, html } from "../html.ts";

/** A column with its title and cell. The first column is the row's heading. */
export type HtmlColumn<Row> = {
  title: string;
  /** Whether the title is for screen readers only and the cell is aligned to the end. */
  isEnd?: boolean;
  cell: (row: Row) => Content;
};

/** A table that becomes a list of cards on narrow screens. */
export function table<Row>(caption: string, columns: readonly HtmlColumn<Row>[], rows: readonly Row[]): Html {
  return html`<div class="table-frame">
    <table class="table" role="table">
      <caption class="visually-hidden">
        ${caption}
      </caption>
      <thead role="rowgroup">
        <tr role="row">
          ${columns.map(renderHeading)}
        </tr>
      </thead>
      <tbody role="rowgroup">
        ${rows.map(
          (row) =>
            html`<tr role="row">
              ${columns.map((column, index) => renderCell(column, row, index === 0))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

// Explicit roles, because browsers drop the implicit ones if CSS changes the table's layout.

function renderHeading<Row>({ title, isEnd = false }: HtmlColumn<Row>): Html {
  return html`<th scope="col" role="columnheader">
    ${isEnd ? html`<span class="visually-hidden">${title}</span>` : title}
  </th>`;
}

function renderCell<Row>({ title, isEnd = false, cell }: HtmlColumn<Row>, row: Row, isFirst: boolean): Html {
  if (isFirst) return html`<th scope="row" role="rowheader">${cell(row)}</th>`;
  if (isEnd) return html`<td role="cell" class="end">${cell(row)}</td>`;
  return html`<td role="cell" data-label="${title}"><div>${cell(row)}</div></td>`;
}

/** Shown instead of an empty list. */
export function emptyList(title: string, content: Content): Html {
  return html`<div class="empty stack-s">
    <p class="notice-title">${title}</p>
    <p class="soft">${content}</p>
  </div>`;
}
