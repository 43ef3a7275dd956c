import { abilitiesOf, engines } from '@lathe/engines'
import { type Family, findFormat } from '@lathe/formats'

/** A command of the engine root that converts a file without our code. */
export interface BareCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly profile: 'plain' | 'office' | 'ghostscript'
  /** The prefix of its output files. */
  readonly output: string
}

/** The input's file name for the plain tool: documents print their names, and Lathe uses this one. */
export const bareName = 'document'

type Maker = (source: string, to: string) => BareCommand | undefined

const soundFont = '/usr/share/sounds/sf2/TimGM6mb.sf2'

function plain(program: string, ...args: string[]): BareCommand {
  return { program, args, profile: 'plain', output: 'out' }
}

/** The names of targets on LibreOffice's command line. */
const officeTargets: Readonly<Record<string, string>> = {
  txt: 'txt:Text (encoded):UTF8',
  csv: 'csv:Text - txt - csv (StarCalc):44,34,76',
}

// It names its output after the input.
const soffice: Maker = (source, to) => convertByOffice(source, to)

function convertByOffice(source: string, to: string, more: readonly string[] = []): BareCommand {
  const start = ['-env:UserInstallation=file:///tmp/profile', '--headless', ...more]
  const args = [...start, '--convert-to', officeTargets[to] ?? to, source]
  return { program: 'soffice', args, profile: 'office', output: `${bareName}.${to}` }
}

const pdf: Maker = (source, to) => {
  if (to === 'txt') return plain('pdftotext', source, 'out.txt')
  if (to === 'docx') return convertByOffice(source, to, ['--infilter=writer_pdf_import'])
  return plain('pdftoppm', '-png', '-cropbox', '-r', '150', source, 'out')
}

const ghostscript: Maker = (source, to) => {
  const quiet = ['-q', '-dSAFER', '-dBATCH', '-dNOPAUSE', '-dEPSCrop']
  const device = to === 'pdf' ? ['-sDEVICE=pdfwrite'] : ['-sDEVICE=png16m', '-r150']
  const output = to === 'pdf' ? 'out.pdf' : 'out-%d.png'
  const args = [...quiet, ...device, `-sOutputFile=${output}`, source]
  return { program: 'gs', args, profile: 'ghostscript', output: 'out' }
}

const mutool: Maker = (source, to) => plain('mutool', 'convert', '-o', `out.${to}`, source)
// Viewers rotate a photo by its camera orientation. JPEG has no transparency: by default ImageMagick makes it black.
const magick: Maker = (source, to) => {
  const filled = to === 'jpg' ? ['-background', 'white', '-alpha', 'remove'] : []
  return plain('magick', `${source}[0]`, '-auto-orient', ...filled, `out.${to}`)
}
const ffmpeg: Maker = (source, to) => plain('ffmpeg', '-nostdin', '-y', '-i', source, `out.${to}`)
const pandoc =
  (from: string): Maker =>
  (source, to) =>
    plain('pandoc', '-f', from, '-t', to === 'txt' ? 'plain' : to, '-s', '-o', `out.${to}`, source)
const book =
  (from: string): Maker =>
  (source, to) =>
    to === 'pdf' ? mutool(source, to) : pandoc(from)(source, to)
const assimp: Maker = (source, to) => plain('assimp', 'export', source, `out.${to}`)
const none: Maker = () => undefined

/** The tool for files of a format; other formats use the tool of their family. */
const byFormat: Readonly<Record<string, Maker>> = {
  pdf,
  ps: ghostscript,
  eps: ghostscript,
  ai: ghostscript,
  emf: soffice,
  wmf: soffice,
  djvu: (source, to) => plain('ddjvu', `-format=${to}`, source, `out.${to}`),
  xps: mutool,
  epub: book('epub'),
  fb2: book('fb2'),
  // Pandoc makes PDF through LaTeX, which is not installed.
  md: (source, to) => (to === 'pdf' ? undefined : pandoc('markdown')(source, to)),
  // Anything other than WAV takes two programs.
  mid: (source, to) =>
    plain(
      'sh',
      '-c',
      `fluidsynth -ni -F played.wav ${soundFont} ${source} && ffmpeg -nostdin -y -i played.wav out.${to}`,
    ),
  jxl: (source, to) => plain('djxl', source, `out.${to}`),
  svg: (source, to) => plain('rsvg-convert', `--format=${to}`, `--output=out.${to}`, source),
  raw: (source) => plain('dcraw_emu', '-T', '-w', '-Z', 'out.tiff', source),
  stl: assimp,
  obj: assimp,
  ply: assimp,
  // No single program of the engine root converts it.
  ttf: none,
  otf: none,
  ics: none,
  vcf: none,
  mhtml: none,
  // Lathe prints them as written, but LibreOffice would look for a document inside.
  json: none,
  xml: none,
  msg: none,
  eml: none,
  mbox: none,
}

const byFamily: Readonly<Record<Family, Maker>> = {
  image: magick,
  audio: ffmpeg,
  video: ffmpeg,
  document: soffice,
  text: soffice,
  archive: none,
}

/**
 * Whether Lathe prints the format through Pandoc: Pandoc alone would need LaTeX, and LibreOffice would show the markup.
 */
function isPrintedByPandoc(ext: string): boolean {
  const printer = engines.find(({ abilities }) =>
    abilitiesOf(abilities, 'convert').some(({ from, to }) => from === ext && to === 'pdf'),
  )
  return printer?.id === 'pandoc'
}

/** The usual command for a conversion; undefined if there is none. */
export function bareCommand(ext: string, to: string): BareCommand | undefined {
  const format = findFormat(ext)
  if (format === undefined) return undefined
  const usual = isPrintedByPandoc(format.ext) ? none : byFamily[format.family]
  return (byFormat[format.ext] ?? usual)(`${bareName}.${ext}`, to)
}
