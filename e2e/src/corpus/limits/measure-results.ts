import { findFormat } from '@lathe/formats'
import { findReader } from '../../../../packages/engines/src/documents/formats.ts'
import { findDecoders, findRescuers } from '../../../../packages/engines/src/pictures/decoders.ts'
import type { Facts } from '../../inspect/facts.ts'
import type { Result } from '../result.ts'
import type { LargestOfEach } from './largest.ts'

const sides = { jpg: 'resultSideJpg', webp: 'resultSideWebp', avif: 'resultSideAvif', gif: 'resultSideGif' } as const
/** Bytes of one second of a rendered score: two channels of 44,100 samples of 16 bits. */
const sampleBytes = 44_100 * 4

/** The files that neither the service nor the plain tool could convert to anything. */
export function findUnread(results: readonly Result[]): ReadonlySet<string> {
  const isRead = ({ ours, bare }: Result) => ours.end === 'converted' || bare?.end === 'converted'
  const read = new Set(results.filter(isRead).map(({ file }) => file))
  return new Set(results.map(({ file }) => file).filter((file) => !read.has(file)))
}

/** Measures the result of one file: what its own header does not state, and what is limited in results. */
export function measureResult(result: Result, most: LargestOfEach): void {
  const { file, size, format, to, ours } = result
  if (ours.end !== 'converted') most.count('failureBytes', Buffer.byteLength(ours.text ?? ''), file)
  if (ours.end !== 'converted' || ours.facts === undefined) return
  const { pages = 1, durationMs = 0 } = ours.facts
  const into = findFormat(to)?.family
  if (into === 'image') measureImages(result, ours.facts, most)
  if (into === 'audio' || into === 'video') most.count('mediaSeconds', durationMs / 1000, file)
  if (to === 'pdf') {
    most.count(findReader(format) ? 'officePages' : 'pdfPages', pages, file)
    if (findDecoders(format) ?? findRescuers(format)) most.count('pdfImageBytes', size, file)
  }
  if (format === 'mid') most.count('midiBytes', Math.round((durationMs / 1000) * sampleBytes), file)
}

function measureImages({ file, format, to }: Result, facts: Facts, most: LargestOfEach): void {
  const { width = 0, height = 0, pages = 1 } = facts
  const side = Math.max(width, height)
  const from = findFormat(format)?.family
  if (from === 'image') most.count('imagePixels', width * height, file)
  if (from === 'document') most.count('drawnSide', side, file)
  if (from === 'document') most.count('resultFiles', pages, file)
  if (format === 'html' || format === 'mhtml') most.count('pagePixels', height, file)
  if (to in sides) most.count(sides[to as keyof typeof sides], side, file)
}
