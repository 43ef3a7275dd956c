import { randomBytes } from 'node:crypto'
import type { FixtureName } from '../../../fixtures/fixtures.ts'
import { fixture, newKey, stack } from '../scenario.ts'
import { startVisit, type Visit, type VisitOptions } from './visit.ts'

/** A file for a page. */
export interface PageFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

/** A fixture under a name. */
export function fileOf(from: FixtureName, name: string = from): PageFile {
  return { name, mimeType: 'application/octet-stream', buffer: fixture(from) }
}

/** A browser with a key, on the converter page. */
export async function openConverter(options: VisitOptions = {}): Promise<Visit> {
  const visit = await startVisit(stack.url, { key: (await newKey({ slots: 8 })).key, ...options })
  await visit.open('/')
  return visit
}

/** Chooses files like a user, and waits until they are in the list. */
export async function choose({ page }: Visit, ...files: readonly PageFile[]): Promise<void> {
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles([...files])
  const last = files.at(-1)
  if (last && files.length < 8) await page.getByRole('article', { name: last.name, exact: true }).waitFor()
}

/** A WAV of noise: large, and quick to convert. */
export function noise(seconds: number): Buffer {
  const bytes = randomBytes(44_100 * 2 * seconds)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + bytes.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(44_100, 24)
  head.writeUInt32LE(88_200, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(bytes.length, 40)
  return Buffer.concat([head, bytes])
}
