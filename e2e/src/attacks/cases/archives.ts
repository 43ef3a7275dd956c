import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { hostileArchives, hostileTar, tarOf } from '../../../../fixtures/attacks/archives.ts'
import { zipOf } from '../../../../fixtures/attacks/zip.ts'
import { openZip } from '../../outputs.ts'
import type { Attack, Bait, Output, Variant } from '../support/attack.ts'

const archives: Attack = {
  id: 'C03',
  title: 'archives that come in are never unpacked to a disk, whatever their members are called',
  variants: (bait) => [
    ...hostileArchives(bait),
    { what: 'a tar', filename: 'x.tar', content: hostileTar(bait.folder), to: 'pdf', end: 'refused' },
  ],
}

const extracted: Attack = {
  id: 'C03',
  title: 'archives that are extracted leave nothing outside the job, and no link or device of theirs is followed',
  variants: (bait) => [
    ...hostileArchives(bait)
      .filter(({ filename }) => filename === 'x.zip')
      .map(({ what, filename, content }): Variant => ({ what, filename, content, operation: 'extract' })),
    { what: 'a tar', filename: 'x.tar', content: hostileTar(bait.folder), operation: 'extract' },
    { what: 'links and devices of a tar', filename: 'x.tar', content: linkedTar(bait), operation: 'extract' },
    {
      what: 'more than 64 MiB of zeros',
      filename: 'x.gz',
      content: gzipSync(Buffer.alloc(65 * 1024 ** 2)),
      operation: 'extract',
      end: 'limited',
    },
    {
      what: 'more files than allowed',
      filename: 'x.zip',
      content: zipOf(Array.from({ length: 2001 }, (_, n) => ({ name: `${n}`, content: '', store: true }))),
      operation: 'extract',
      end: 'limited',
    },
  ],
}

function linkedTar({ file, folder }: Bait): Buffer {
  return tarOf([
    { name: 'link', type: '2', target: file },
    { name: 'folder', type: '2', target: folder },
    { name: 'folder/pwned', content: 'x' },
    { name: 'hard', type: '1', target: file },
    { name: 'null', type: '3' },
    { name: 'pipe', type: '6' },
    { name: 'a\nb', content: 'x' },
  ])
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

/** Attacks with archives and tables. */
export const archiveAttacks: readonly Attack[] = [archives, extracted, formulas]
