import { expect } from 'vitest'
import { hostileArchives, hostileTar } from '../../../../fixtures/attacks/archives.ts'
import { openZip } from '../../outputs.ts'
import type { Attack, Output, Variant } from '../support/attack.ts'

const archives: Attack = {
  id: 'C03',
  title: 'archives that come in are never unpacked to a disk, whatever their members are called',
  variants: (bait) => [
    ...hostileArchives(bait),
    { what: 'a tar', filename: 'x.tar', content: hostileTar(bait.folder), to: 'pdf', end: 'refused' },
  ],
}

const cells = [
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1,1)',
  '\t=1+1',
  '=WEBSERVICE("URL")',
  "=cmd|' /C calc'!A0",
  '=HYPERLINK("URL")',
]

const formulas: Attack = {
  id: 'C05',
  title: 'cells that look like formulas stay text',
  variants: ({ url }) => {
    const rows = cells.map((cell) => `"${cell.replaceAll('URL', `${url}/f`).replaceAll('"', '""')}",x\n`)
    const content = rows.join('')
    return ['xlsx', 'ods', 'xls', 'pdf'].map(
      (to): Variant => ({ what: `to ${to}`, filename: 'x.csv', content, to, end: 'completed', check: hasNoFormula }),
    )
  },
}

async function hasNoFormula(outputs: readonly Output[]): Promise<void> {
  for (const { filename, bytes } of outputs.filter((output) => /\.(xlsx|ods)$/.test(output.filename))) {
    const parts = await openZip(bytes)
    const sheet = parts.get('xl/worksheets/sheet1.xml') ?? parts.get('content.xml')
    expect(sheet?.toString(), filename).not.toMatch(/<f[ >]|table:formula=/)
  }
}

/** Attacks by archives and tables. */
export const archiveAttacks: readonly Attack[] = [archives, formulas]
