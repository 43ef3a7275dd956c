import { shown } from './batch/reporter.ts'

/** Writes data to stdout; everything else goes to stderr. */
export function writeLines(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

/** Writes rows in aligned columns; the last column is not padded. */
export function writeTable(rows: readonly (readonly string[])[]): void {
  const cells = rows.map((row) => row.map(shown))
  const widths = (cells[0] ?? []).map((_, n) => Math.min(40, Math.max(...cells.map((row) => row[n]?.length ?? 0))))
  writeLines(
    cells.map((row) =>
      row
        .map((cell, n) => (n === row.length - 1 ? cell : cell.padEnd(widths[n] ?? 0)))
        .join('  ')
        .trimEnd(),
    ),
  )
}
