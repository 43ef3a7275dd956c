import type { ReactNode } from 'react'

interface NumberTableProps {
  /** The accessible name of the table. */
  readonly label: string
  /** The headings: the first column has names, the others have numbers. */
  readonly columns: readonly string[]
  readonly rows: readonly { readonly key: string; readonly name: ReactNode; readonly cells: readonly ReactNode[] }[]
}

/** A table of numbers by name, which scrolls on narrow screens. */
export function NumberTable({ label, columns: [first, ...others], rows }: NumberTableProps) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
      className="overflow-x-auto -outline-offset-2"
    >
      <table className="num w-full text-sm">
        <thead className="text-[13px] text-muted">
          <tr>
            <th className="px-5 py-2.5 text-start font-medium">{first}</th>
            {others.map((column) => (
              <th key={column} className="px-5 py-2.5 text-end font-medium">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y border-t">
          {rows.map(({ key, name, cells }) => (
            <tr key={key}>
              <th scope="row" className="px-5 py-2.5 text-start font-medium whitespace-nowrap">
                {name}
              </th>
              {cells.map((cell, n) => (
                <td key={others[n]} className="px-5 py-2.5 text-end whitespace-nowrap">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
