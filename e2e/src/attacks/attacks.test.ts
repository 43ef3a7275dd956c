import { readdir } from 'node:fs/promises'
import { waitFor } from '@lathe/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveAttacks } from './cases/archives.ts'
import { documentAttacks } from './cases/documents.ts'
import { magickAttacks } from './cases/magick.ts'
import { markupAttacks } from './cases/markup.ts'
import { mediaAttacks } from './cases/media.ts'
import { olderDocumentAttacks } from './cases/older-documents.ts'
import { pdfAttacks } from './cases/pdf.ts'
import { peerAttacks } from './cases/peers.ts'
import { pictureBombs } from './cases/picture-bombs.ts'
import { pictureAttacks } from './cases/pictures.ts'
import { expectSafe } from './support/expect-safe.ts'
import { openRange, type Range } from './support/range.ts'

let range: Range
beforeAll(async () => {
  range = await openRange()
})
afterAll(() => range?.[Symbol.asyncDispose]())

describe('the uniform safe result', () => {
  for (const attack of [
    ...pictureAttacks,
    ...magickAttacks,
    ...mediaAttacks,
    ...documentAttacks,
    ...olderDocumentAttacks,
    ...markupAttacks,
    ...pdfAttacks,
    ...archiveAttacks,
    ...pictureBombs,
  ]) {
    it(`${attack.id} ${attack.title}`, () => expectSafe(range, attack))
  }
})

describe('vulnerabilities of similar services', () => {
  for (const attack of peerAttacks) {
    it(`${attack.id}: ${attack.title}`, () => expectSafe(range, attack))
  }
})

// The last of all: warm instances are part of a worker at rest, and go with it.
it('leaves nothing on the machine when the worker stops', async () => {
  expect(await range.worker.stop('SIGTERM', 90_000)).toBe(0)
  await waitFor(() => range.footprint().strangers.length === 0, { withinMs: 10_000, what: 'the end of every engine' })
  expect(await readdir(range.stack.scratchDir)).toEqual([])
})
