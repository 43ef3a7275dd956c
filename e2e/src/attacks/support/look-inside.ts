import type { PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import type { Output } from './attack.ts'
import { canaryColour } from './canaries.ts'

/** What an output shows beyond its bytes: the words of a PDF, and renderings of everything visible. */
export interface Seen {
  readonly text: string
  readonly pictures: readonly Buffer[]
}

const shown = /\.(jpg|png|gif|webp|tiff|avif)$/
const videos = /\.(mp4|mov|mkv|webm|avi|wmv|flv|mpg|m4v|3gp|ts|ogv)$/
const looked = 3

/** Opens an output with tools of the engine root, in a separate sandbox of the test. */
export async function lookInside(bench: PlanBench, { filename, bytes }: Output): Promise<Seen> {
  if (shown.test(filename)) return { text: '', pictures: [bytes] }
  if (filename.endsWith('.pdf')) return lookAtPdf(bench, bytes)
  if (videos.test(filename)) return { text: '', pictures: await framesOf(bench, bytes) }
  return { text: '', pictures: [] }
}

async function lookAtPdf(bench: PlanBench, bytes: Buffer): Promise<Seen> {
  const files = { 'in.pdf': bytes }
  const { stdout } = await bench.tool('pdftotext', ['-l', '50', 'in.pdf', '-'], { files })
  const names = Array.from({ length: looked }, (_, n) => `out-${n + 1}.png`)
  const args = ['-png', '-r', '50', '-l', String(looked), '-scale-to', '800', 'in.pdf', 'out']
  const { outputs } = await bench.tool('pdftoppm', args, { files, outputs: [...names, 'out-01.png', 'out-02.png'] })
  return { text: stdout, pictures: Object.values(outputs) }
}

async function framesOf(bench: PlanBench, bytes: Buffer): Promise<readonly Buffer[]> {
  const names = Array.from({ length: looked }, (_, n) => `frame-${n + 1}.png`)
  const args = ['-nostdin', '-v', 'error', '-i', 'video', '-frames:v', String(looked), '-vsync', '0', 'frame-%d.png']
  return Object.values((await bench.tool('ffmpeg', args, { files: { video: bytes }, outputs: names })).outputs)
}

// JPEG and video change colors slightly; nothing else in these tests comes this close.
const tolerance = 24
const enough = 16

/** Whether an image shows the color that only the canary has. */
export async function showsCanary(picture: Buffer): Promise<boolean> {
  const { data, info } = await toPixels(picture)
  let hits = 0
  for (let at = 0; at < data.length; at += info.channels) {
    const [r = 0, g = 0, b = 0] = [data[at], data[at + 1], data[at + 2]]
    const { r: cr, g: cg, b: cb } = canaryColour
    if (Math.abs(r - cr) < tolerance && Math.abs(g - cg) < tolerance && Math.abs(b - cb) < tolerance) hits++
    if (hits >= enough) return true
  }
  return false
}

/** Whether two images have the same pixels. */
export async function areAlike(one: Buffer, other: Buffer): Promise<boolean> {
  const [a, b] = await Promise.all([toPixels(one), toPixels(other)])
  return a.data.equals(b.data)
}

function toPixels(picture: Buffer) {
  return sharp(picture, { limitInputPixels: 100_000_000 })
    .resize({ width: 1200, height: 1200, fit: 'inside', withoutEnlargement: true, kernel: 'nearest' })
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
}
