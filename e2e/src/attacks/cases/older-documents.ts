import { extname } from 'node:path'
import { damagedBinaries } from '../../../../fixtures/attacks/binary-office.ts'
import {
  climbingPackages,
  entityDocuments,
  type OldDocuments,
  packedBombs,
  reachingOldDocuments,
} from '../../../../fixtures/attacks/old-office.ts'
import type { Attack, Variant } from '../support/attack.ts'

/** Other targets, by the program that reads the documents; PDF is tried for all. */
const others: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['sxw', 'stw', 'wordxml', 'pages'].map((ext) => [ext, 'docx'])),
  ...Object.fromEntries(['sxc', 'stc', 'excelxml', 'xlsb', 'dif'].map((ext) => [ext, 'csv'])),
  ...Object.fromEntries(['sxi', 'sti'].map((ext) => [ext, 'odp'])),
  ...Object.fromEntries(['sxd', 'std', 'vsdx', 'vsdm'].map((ext) => [ext, 'odg'])),
}

const toPdf = (documents: OldDocuments, more: Partial<Variant> = {}) =>
  Object.entries(documents).map(([what, document]): Variant => ({ what, ...document, to: 'pdf', ...more }))

const links: Attack = {
  id: 'A07 older formats',
  title: 'documents of older formats reach no file and no host',
  variants: (bait) => [
    ...Object.entries(reachingOldDocuments(bait)).flatMap(([what, document]) =>
      ['pdf', others[extname(document.filename).slice(1)] ?? 'png'].map(
        (to): Variant => ({ what: `${what}, to ${to}`, ...document, to }),
      ),
    ),
    ...toPdf(entityDocuments(bait)),
  ],
  packsCanary: true,
}

const damaged: Attack = {
  id: 'A13 older formats',
  title: 'damaged documents of older formats stop nobody else',
  variants: () => toPdf(damagedBinaries()),
}

const bombs: Attack = {
  id: 'B01 older formats',
  title: 'archives of older formats are stopped while they are unpacked, wherever their parts want to go',
  variants: ({ folder }) => [
    ...toPdf(packedBombs(), { end: 'limited' }),
    ...toPdf(climbingPackages(`${folder}/pwned`)),
  ],
  atOnce: 2,
}

/** Attacks with documents in old or rare formats. */
export const olderDocumentAttacks: readonly Attack[] = [links, damaged, bombs]
