import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { docm, macroDocuments, reachingDocuments } from '../../../../fixtures/attacks/office.ts'
import { endlessDocuments, zipBombs } from '../../../../fixtures/attacks/office-bombs.ts'
import { docx, wordPicture } from '../../../../fixtures/attacks/office-packages.ts'
import { postScripts } from '../../../../fixtures/attacks/postscript.ts'
import { fixturePath } from '../../../../fixtures/fixtures.ts'
import type { Attack, Output, Variant } from '../support/attack.ts'

const postScript: Attack = {
  id: 'A06',
  title: 'PostScript gets no file, no pipe and no variable, wherever it hides',
  variants: (bait) =>
    Object.entries(postScripts(bait)).flatMap(([what, content]): Variant[] => {
      const isEndless = /without end|all memory/.test(what)
      const names = isEndless ? ['x.eps'] : ['x.eps', 'x.ps', 'x.ai', 'x.jpg', 'x.pdf']
      const inWord = docx(wordPicture('rId9', 'embed'), {
        relations: [['rId9', 'image', 'media/x.eps']],
        more: [{ name: 'word/media/x.eps', content }],
      })
      return [
        // The deadline of a document stops an endless program.
        ...names.map((filename): Variant => {
          return { what: `${what}, as ${filename}`, filename, content, to: 'png', isSlow: isEndless }
        }),
        { what: `${what}, in DOCX`, filename: 'x.docx', content: inWord, to: 'pdf' },
      ]
    }),
  packsCanary: true,
  withinMs: 330_000,
}

const links: Attack = {
  id: 'A07',
  title: 'documents reach no file, no host and no variable, and their macros do not run',
  variants: (bait) =>
    Object.entries({ ...reachingDocuments(bait), ...macroDocuments(bait) }).flatMap(([what, { filename, content }]) => {
      const same = filename.endsWith('html')
        ? 'odt'
        : filename.endsWith('s') || filename.endsWith('xlsx')
          ? 'csv'
          : 'txt'
      return ['pdf', same].map((to): Variant => ({ what: `${what}, to ${to}`, filename, content, to }))
    }),
  packsCanary: true,
}

const macros: Attack = {
  id: 'A15 documents',
  title: 'macros are not carried into what is made of a document',
  variants: (bait) => [
    ...['docx', 'odt', 'doc'].map(
      (to): Variant => ({ what: `DOCM to ${to}`, filename: 'x.docm', content: docm(), to, check: hasNoMacro }),
    ),
    ...Object.entries(macroDocuments(bait)).map(
      ([what, { content }]): Variant => ({
        what: `${what}, to DOCX`,
        filename: 'x.odt',
        content,
        to: 'docx',
        check: hasNoMacro,
      }),
    ),
    {
      what: 'a page with scripts, to ODT',
      filename: 'x.html',
      content: '<html><body onload="alert(1)"><script>alert(1)</script><p>x</p></body></html>',
      to: 'odt',
      check: hasNoMacro,
    },
  ],
}

function hasNoMacro(outputs: readonly Output[]): void {
  for (const { bytes, filename } of outputs) {
    expect(bytes.toString('latin1'), filename).not.toMatch(/vbaProject|Basic\/Standard|Scripts\/python|macroEnabled/)
  }
}

const bombs: Attack = {
  id: 'B01',
  title: 'archives that unpack without end are stopped while they are unpacked',
  variants: () =>
    Object.entries(zipBombs()).map(
      ([what, { filename, content }]): Variant => ({ what, filename, content, to: 'pdf', end: 'limited' }),
    ),
  atOnce: 2,
}

const endless: Attack = {
  id: 'B07',
  title: 'documents without end are stopped, and nobody waits for an answer that never comes',
  variants: () =>
    Object.entries(endlessDocuments()).map(([what, { filename, content }]): Variant => {
      // The deadline of a document stops the layout of every possible cell.
      const isSlow = /every (cell|row)/.test(what)
      return { what, filename, content, to: 'pdf', isSlow }
    }),
  atOnce: 2,
  withinMs: 330_000,
}

const pages: Attack = {
  id: 'B08',
  title: 'pages that compute without end are read, not run',
  variants: () =>
    Object.entries({
      'a loop': '<script>while(1){}</script>',
      'a row of questions': '<script>for(;;)alert(1)</script>',
      'a hundred thousand elements': '<b>'.repeat(100_000),
      'a canvas of ten billion pixels': '<canvas width="100000" height="100000"></canvas>',
      'a page for each of ten thousand lines': '<p style="page-break-after: always">x</p>'.repeat(10_001),
      'a data address of 8 MiB': `<img src="data:image/png;base64,${'A'.repeat(8 * 1024 ** 2)}">`,
    }).map(([what, inside]): Variant => {
      const isSlow = /elements|lines/.test(what)
      return { what, filename: 'x.html', content: `<html><body><p>x</p>${inside}</body></html>`, to: 'pdf', isSlow }
    }),
  atOnce: 2,
  withinMs: 330_000,
}

const words: Attack = {
  id: 'B09',
  title: 'text of any kind ends as text, or is refused',
  variants: () =>
    Object.entries({
      'fifty thousand quotes': '>'.repeat(50_000),
      'fifty thousand brackets': '['.repeat(50_000),
      'one line of 4 MiB': 'a'.repeat(4 * 1024 ** 2),
      'bytes that are no UTF-8': Buffer.from([0x41, 0xff, 0xfe, 0xc0, 0xaf, 0x0a]),
      zeros: Buffer.from('a\0b\0c\n'),
      'two byte order marks': Buffer.from('\ufeff\ufeffa\n'),
      'UTF-16 after a mark of UTF-8': Buffer.concat([Buffer.from('\ufeff'), Buffer.from('abc', 'utf16le')]),
      nothing: '',
    }).flatMap(([what, content]): Variant[] => [
      { what: `${what}, as text`, filename: 'x.txt', content, to: 'pdf', isSlow: /4 MiB/.test(what) },
      { what: `${what}, as a table`, filename: 'x.csv', content, to: 'xlsx' },
    ]),
  withinMs: 330_000,
}

const damaged: Attack = {
  id: 'A13',
  title: 'damaged files end as damaged, or as a converter that stopped, and stop nobody else',
  variants: () =>
    fixtureFiles.flatMap(([name, to]) => {
      const whole = readFileSync(fixturePath(name))
      const cut = (share: number) => whole.subarray(0, Math.floor(whole.length * share))
      return [
        ...[0.1, 0.5, 0.95].map(
          (share): Variant => ({ what: `${name}, cut to ${share}`, filename: name, content: cut(share), to }),
        ),
        ...[1, 2, 3].map(
          (seed): Variant => ({
            what: `${name}, flipped by ${seed}`,
            filename: name,
            content: flipped(whole, seed),
            to,
          }),
        ),
      ]
    }),
}

const fixtureFiles = [
  ['photo-40k.jpg', 'png'],
  ['alpha.png', 'jpg'],
  ['photo.webp', 'png'],
  ['photo.avif', 'png'],
  ['photo.tiff', 'png'],
  ['animated.gif', 'webp'],
  ['animated.webp', 'gif'],
  ['text.svg', 'png'],
  ['two-pages.pdf', 'png'],
  ['letter.docx', 'pdf'],
  ['table.ods', 'pdf'],
  ['clip.mp4', 'webm'],
  ['tone.flac', 'mp3'],
  ['halves.xcf', 'png'],
] as const

/** Flips a bit in each of some hundred bytes, the same ones for the same seed. */
function flipped(bytes: Buffer, seed: number): Buffer {
  const mutant = Buffer.from(bytes)
  let state = seed * 2_654_435_761
  for (let n = 0; n < Math.max(8, bytes.length / 500); n++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    const at = state % mutant.length
    mutant[at] = (mutant[at] ?? 0) ^ (1 << (state >>> 29))
  }
  return mutant
}

/** Attacks with office documents, PostScript and text. */
export const documentAttacks: readonly Attack[] = [postScript, links, damaged, macros, bombs, endless, pages, words]
