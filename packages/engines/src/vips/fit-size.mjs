// @ts-check
import { rename, rm, stat } from 'node:fs/promises'
import { Refusal } from './refusal.mjs'

/**
 * @typedef {import('./runner.mjs').Call} Call
 * @typedef {{ from: number, to: number, name: 'quality' | 'colours' }} Range
 * @typedef {(choice: { params: Record<string, number>, scale: number, path: string }) => Promise<unknown>} Write
 */

/** What each format is turned down by. Below these a smaller picture looks better than a worse one. */
const ranges = /** @type {Record<string, Range>} */ ({
  jpg: { name: 'quality', from: 15, to: 95 },
  webp: { name: 'quality', from: 5, to: 95 },
  avif: { name: 'quality', from: 5, to: 90 },
  png: { name: 'quality', from: 5, to: 100 },
  gif: { name: 'colours', from: 8, to: 256 },
})

const maxScalings = 6
const smallestSide = 16

/**
 * Writes the best picture that has no more bytes than asked for: the highest quality that fits, of the largest size
 * that fits at all.
 * @param {Call} call
 * @param {{ size: { width: number, height: number }, write: Write }} picture
 */
export async function fitSize(call, { size, write }) {
  const { output, params, warnings } = call
  const range = ranges[output.format] ?? { name: 'quality', from: 1, to: 100 }
  const spare = `${output.path}.best`
  let scale = 1
  for (let n = 0; n < maxScalings; n++) {
    const bytes = async (/** @type {number} */ value) => {
      await write({ params: { [range.name]: value }, scale, path: output.path })
      return (await stat(output.path)).size
    }
    const least = await bytes(range.from)
    if (least <= params.target_size) {
      await climb(range, { bytes, limit: params.target_size, path: output.path, spare })
      if (scale < 1) warnings.push('Width and height were reduced to reach the target size.')
      return
    }
    // Bytes follow the area, but not all of them do: a little less than that.
    scale *= Math.min(0.9, Math.sqrt(params.target_size / least) * 0.95)
    if (Math.min(size.width, size.height) * scale < smallestSide) break
    call.progress(0.1 + 0.1 * n)
  }
  await rm(output.path, { force: true })
  throw new Refusal('unsupported', `The picture cannot be made as small as ${params.target_size} bytes. Allow more.`)
}

/**
 * Climbs to the highest value that still fits, halving what is left. The lowest is known to fit and is written already.
 * @param {Range} range
 * @param {{ bytes: (value: number) => Promise<number>, limit: number, path: string, spare: string }} how
 */
async function climb({ from, to }, { bytes, limit, path, spare }) {
  await rename(path, spare)
  let [fits, above] = [from, to + 1]
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2)
    if ((await bytes(middle)) <= limit) {
      fits = middle
      await rename(path, spare)
    } else above = middle
  }
  await rename(spare, path)
}
