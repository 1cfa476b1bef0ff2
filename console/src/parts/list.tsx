import type { ReactNode } from 'react'

export type Column<Row> = { title: string; cell: (row: Row) => ReactNode; isNumber?: boolean }

type Props<Row> = {
  /** What the rows are, for screen readers. */
  label: string
  rows: Row[]
  columns: Column<Row>[]
  rowKey: (row: Row) => string
}

/** A table; on narrow pages each row is a card. The roles are said, because styles would take them away there. */
export function List<Row>({ label, rows, columns, rowKey }: Props<Row>) {
  // Becomes cards earlier than a table of few columns.
  const isWide = columns.length > 4
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: a table that is not displayed as one loses its roles
    <table className={isWide ? 'list list-wide' : 'list'} role="table" aria-label={label}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, isNumber }) => (
            <th key={title} role="columnheader" scope="col" className={isNumber ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={rowKey(row)} role="row">
            {columns.map(({ title, cell, isNumber }) => (
              <td key={title} role="cell" className={isNumber ? 'number' : undefined} data-title={title}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: see above
  )
}
