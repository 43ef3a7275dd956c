import type { PlanBench } from '@lathe/testing'
import sharp from 'sharp'
import { type Facts, type Given, refuse } from './facts.ts'
import { openPsd } from './open-psd.ts'
import { fileOf, runTool } from './run-tool.ts'

const onlyMagick = [
  ...['aai', 'avs', 'dcx', 'ff', 'fl32', 'ipl', 'jbg', 'jng', 'mng', 'mtv', 'pdb', 'pict'],
  ...['vicar', 'viff', 'vips'],
]

/**
 * The opener of each image format. libvips and ImageMagick write images, so another program opens each: ImageMagick
 * reads what libvips can write, FFmpeg's decoders read the rest.
 */
const openers: Readonly<Record<string, 'magick' | 'ffmpeg' | 'sharp' | 'hand'>> = {
  jpg: 'magick',
  png: 'magick',
  webp: 'magick',
  avif: 'magick',
  gif: 'magick',
  tiff: 'magick',
  heic: 'magick',
  svg: 'sharp',
  apng: 'ffmpeg',
  bmp: 'ffmpeg',
  ico: 'ffmpeg',
  jxl: 'ffmpeg',
  jp2: 'ffmpeg',
  psd: 'hand',
  tga: 'ffmpeg',
  exr: 'ffmpeg',
  hdr: 'ffmpeg',
  dds: 'ffmpeg',
  ppm: 'ffmpeg',
  pgm: 'ffmpeg',
  pbm: 'ffmpeg',
  pam: 'ffmpeg',
  pcx: 'ffmpeg',
  qoi: 'ffmpeg',
  sgi: 'ffmpeg',
  dpx: 'ffmpeg',
  pfm: 'ffmpeg',
  pgx: 'ffmpeg',
  phm: 'ffmpeg',
  ras: 'ffmpeg',
  wbmp: 'ffmpeg',
  xbm: 'ffmpeg',
  xpm: 'ffmpeg',
  xwd: 'ffmpeg',
  // No other program here reads these.
  ...Object.fromEntries(onlyMagick.map((format) => [format, 'magick' as const])),
}

/** FFmpeg's decoder names that differ from the format's extension. */
const decoders: Readonly<Record<string, readonly string[]>> = {
  ico: ['bmp', 'png'],
  jxl: ['jpegxl', 'libjxl', 'libjxl_anim', 'jpegxl_anim'],
  jp2: ['jpeg2000'],
  tga: ['targa'],
  ras: ['sunrast'],
}

const magickNames: Readonly<Record<string, string>> = { jpg: 'JPEG' }

export function isPicture(format: string): boolean {
  return openers[format] !== undefined
}

/** Opens an image and decodes every pixel. */
export async function openPicture(bench: PlanBench, given: Given): Promise<Facts> {
  const opener = openers[given.format]
  if (opener === 'sharp') return openWithSharp(given)
  if (opener === 'hand') return openPsd(given)
  return opener === 'ffmpeg' ? openWithFfmpeg(bench, given) : openWithMagick(bench, given)
}

async function openWithSharp({ format, bytes }: Given): Promise<Facts> {
  const { format: found, width, height } = await sharp(bytes).metadata()
  if (found !== format) refuse(format, `it is ${found}`)
  await sharp(bytes).stats()
  return { format, width, height, pages: 1 }
}

// Without -ping every pixel is decoded: an image with a valid header and a broken body is invalid.
async function openWithMagick(bench: PlanBench, given: Given): Promise<Facts> {
  const { format } = given
  // Some formats have no signature and look like another one at the start.
  const file = onlyMagick.includes(format) ? `${format}:${fileOf(given)}` : fileOf(given)
  const { stdout } = await runTool(bench, 'magick', ['identify', '-format', '%m %W %H\\n', file], { given })
  const frames = stdout.trim().split('\n')
  const [name = '', width, height] = frames[0]?.split(' ') ?? []
  if (name !== (magickNames[format] ?? format.toUpperCase())) refuse(format, `ImageMagick takes it for ${name}`)
  return { format, width: Number(width), height: Number(height), pages: frames.length }
}

async function openWithFfmpeg(bench: PlanBench, given: Given): Promise<Facts> {
  const { format } = given
  const show = ['-v', 'error', '-count_frames', '-of', 'json', '-show_entries']
  const { stdout } = await runTool(
    bench,
    'ffprobe',
    [...show, 'stream=codec_name,width,height,nb_read_frames', fileOf(given)],
    { given },
  )
  const { streams = [] } = JSON.parse(stdout) as { streams?: readonly Readonly<Record<string, unknown>>[] }
  // An icon contains the same image in several sizes; the largest counts.
  const [largest] = streams.toSorted((a, b) => Number(b.width) - Number(a.width))
  if (!largest || !(Number(largest.nb_read_frames) > 0)) refuse(format, `nothing could be decoded: ${stdout}`)
  const fitting = decoders[format] ?? [format]
  if (!fitting.includes(String(largest.codec_name))) refuse(format, `FFmpeg takes it for ${largest.codec_name}`)
  const pages = Number(largest.nb_read_frames)
  return { format, width: Number(largest.width), height: Number(largest.height), pages }
}

/** The program that renders each format; sharp reads the rest itself. */
const drawn: Readonly<Record<string, readonly [program: string, ...args: string[]]>> = {
  magick: ['magick', '-colorspace', 'sRGB', '-depth', '8', 'PNG:out.png'],
  ffmpeg: ['ffmpeg', '-frames:v', '1', '-update', '1', 'out.png'],
}

/** Any image as PNG: its first frame. */
export async function toPng(bench: PlanBench, given: Given): Promise<Buffer> {
  const { format, bytes } = given
  const isForSharp = openers[format] !== 'ffmpeg' && format !== 'heic' && format !== 'psd'
  if (isForSharp) return bytes
  // ImageMagick handles colors better, but does not read JPEG XL.
  const source = format === 'jxl' ? ['-i', fileOf(given)] : [`${fileOf(given)}[0]`]
  const [program = '', ...args] = drawn[format === 'jxl' ? 'ffmpeg' : 'magick'] ?? []
  const { outputs } = await runTool(bench, program, [...source, ...args], { given, outputs: ['out.png'] })
  return outputs['out.png'] ?? refuse(format, 'it cannot be drawn')
}
