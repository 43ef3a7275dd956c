// @ts-check
/**
 * The warm runner of the vips engine. It runs inside the sandbox and speaks JSON lines: a request on stdin,
 * progress and one answer on stdout, one request at a time. It ends when stdin closes.
 */
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import sharp from 'sharp'
import { difference } from './difference.mjs'
import { mergeToGif } from './gif.mjs'
import { optimize } from './optimize.mjs'
import { compressPackage } from './package.mjs'
import { toPdf } from './pdf.mjs'
import { compress, convert, crop, trim, watermark } from './picture.mjs'
import { Refusal, toRefusal } from './refusal.mjs'
import { drawLayer, drawStamp } from './stamp.mjs'
import { splitTiff } from './tiff-split.mjs'

/**
 * @typedef {{ file: string, path: string, format: string }} FileRef
 * @typedef {{ pixels: number, frames: number, animationPixels: number, svgBytes: number, splitPages: number, pdfPages: number, pdfInputBytes: number,
 *   optimizedPixels: number, optimizedFramesPixels: number, avifPixels: number, searchMs: number }} Limits
 * @typedef {Record<string, any>} Params
 * @typedef {{ dir: string, inputs: FileRef[], output: FileRef, params: Params, limits: Limits, progress: (share: number) => void,
 *   tellsPlaces: boolean, warnings: string[], findings: Record<string, unknown> }} Call
 */

// One owner's files pass through here once: a cache would only hold memory.
sharp.cache(false)
// biome-ignore lint/style/noProcessEnv: the sandbox hands the runner its share of cores this way.
sharp.concurrency(Number(process.env.LATHE_RUNNER_THREADS) || 1)

// Only the decoders we advertise: libvips was built with more, and each is a door.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    'VipsForeignLoadJpegFile',
    'VipsForeignLoadJpegBuffer',
    'VipsForeignLoadPngFile',
    'VipsForeignLoadPngBuffer',
    'VipsForeignLoadWebpFile',
    'VipsForeignLoadWebpBuffer',
    'VipsForeignLoadHeifFile',
    'VipsForeignLoadHeifBuffer',
    'VipsForeignLoadNsgifFile',
    'VipsForeignLoadTiffFile',
    'VipsForeignLoadSvgBuffer',
  ],
})

/** @type {Record<string, (call: Call) => Promise<unknown>>} */
const works = {
  compress,
  'compress-package': compressPackage,
  convert,
  crop,
  difference,
  merge: mergeToGif,
  optimize,
  split: splitTiff,
  stamp: drawStamp,
  'stamp-layer': drawLayer,
  trim,
  watermark,
}

/** Works on any number of inputs: their warnings tell which one is meant. */
const ofManyInputs = new Set(['merge'])

/** @param {string} op @param {Omit<Call, 'tellsPlaces'>} call */
async function run(op, call) {
  const work = call.output.format === 'pdf' ? toPdf : Object.hasOwn(works, op) && works[op]
  if (!work) throw new Refusal('unsupported', undefined, `no such operation: ${op}`)
  await work({ ...call, tellsPlaces: ofManyInputs.has(op) })
}

/** @param {Record<string, unknown>} message */
function send(message) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

/**
 * @param {string} dir
 * @param {{ file: string, format: string }} ref
 * @returns {FileRef}
 */
function locate(dir, { file, format }) {
  // Plans name files `in-0.jpg`; anything else is a fault on our side and must not become a path.
  if (!/^[a-z]{1,8}-\d{1,6}\.[a-z0-9]{1,8}$/.test(file)) throw new Refusal('engine_crashed', undefined, 'bad file name')
  return { file, format, path: join(dir, file) }
}

/** @param {{ id: number, dir: string, request: any }} message */
async function answer({ id, dir, request }) {
  const { op, inputs, outputs, params, limits, rescue } = request
  /** @type {string[]} */
  const warnings = []
  /** What the plan learns in addition. @type {Record<string, unknown>} */
  const findings = {}
  try {
    const progress = (/** @type {number} */ share) => send({ id, progress: Math.round(share * 1000) / 1000 })
    const files = inputs.map((/** @type {any} */ input) => locate(dir, input))
    await run(op, { dir, inputs: files, output: locate(dir, outputs[0]), params, limits, progress, warnings, findings })
    send({ id, ok: true, result: { warnings, ...findings } })
  } catch (error) {
    const { code, text, detail, file } = toRefusal(error)
    // Where the plan knows another decoder, an input that libvips cannot read is an answer, not a failure.
    if (rescue && file !== undefined) send({ id, ok: true, result: { warnings: [], undecoded: file, detail } })
    else send({ id, ok: false, code, text, detail })
  }
}

send({ ready: true })
for await (const line of createInterface({ input: process.stdin })) {
  if (line !== '') await answer(JSON.parse(line))
}
