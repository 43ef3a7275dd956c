import { afterAll, beforeAll, describe, it } from 'vitest'
import { documentAttacks } from './cases/documents.ts'
import { magickAttacks } from './cases/magick.ts'
import { mediaAttacks } from './cases/media.ts'
import { pdfAttacks } from './cases/pdf.ts'
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
    ...pdfAttacks,
    ...pictureBombs,
  ]) {
    it(`${attack.id} ${attack.title}`, () => expectSafe(range, attack))
  }
})
