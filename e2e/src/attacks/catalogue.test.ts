import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { archiveAttacks } from './cases/archives.ts'
import { documentAttacks } from './cases/documents.ts'
import { magickAttacks } from './cases/magick.ts'
import { markupAttacks } from './cases/markup.ts'
import { mediaAttacks } from './cases/media.ts'
import { olderDocumentAttacks } from './cases/older-documents.ts'
import { pdfAttacks } from './cases/pdf.ts'
import { pictureBombs } from './cases/picture-bombs.ts'
import { pictureAttacks } from './cases/pictures.ts'

const root = join(import.meta.dirname, '../../..')
const page = readFileSync(join(root, 'docs/attacks.md'), 'utf8')
const listed = [...page.matchAll(/^\| ([ABC]\d\d) \|/gm)].map(([, id = '']) => id)

const inTables = [
  ...[pictureAttacks, magickAttacks, mediaAttacks, documentAttacks],
  ...[olderDocumentAttacks, markupAttacks, pdfAttacks, pictureBombs, archiveAttacks],
].flat()
const inTests = globSync('{e2e,packages/*}/src/**/*.test.ts', { cwd: root }).map((file) =>
  readFileSync(join(root, file), 'utf8'),
)

const count = (letter: string, last: number) =>
  Array.from({ length: last }, (_, n) => `${letter}${String(n + 1).padStart(2, '0')}`)

describe('the catalogue of attacks', () => {
  it('lists every attack on the engines there are', () => {
    expect(listed).toEqual([...count('A', 15), ...count('B', 13), ...count('C', 5)])
  })

  it.each(listed)('%s is in a table, or is a test of its own', (id) => {
    const titles = inTables.filter((attack) => attack.id.startsWith(id)).map((attack) => `${attack.id} ${attack.title}`)
    const isTest = inTests.some((source) => source.includes(`describe('${id} `))
    expect(titles.length > 0 || isTest).toBe(true)
    for (const title of titles) expect(page).toContain(`> ${title}`)
  })
})
