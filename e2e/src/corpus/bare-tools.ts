import { abilitiesOf, engines } from '@lathe/engines'
import { type Family, findFormat } from '@lathe/formats'

/** A command of the engine root that converts a file without any help of ours. */
export interface BareCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly profile: 'plain' | 'office' | 'ghostscript'
  /** How the names of the files it writes begin. */
  readonly output: string
}

/** What the file is called for the bare tool: documents print their names, and this is what Lathe calls them. */
export const bareName = 'document'

type Maker = (source: string, to: string) => BareCommand | undefined

const soundFont = '/usr/share/sounds/sf2/TimGM6mb.sf2'

function plain(program: string, ...args: string[]): BareCommand {
  return { program, args, profile: 'plain', output: 'out' }
}

/** What LibreOffice's command line calls a target. */
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
// Viewers turn a photo the way its camera was held. JPEG has no transparency: without a word ImageMagick makes it black.
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

/** Who converts files of a format; the others go by family. */
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
  // Pandoc makes PDF by way of LaTeX, which is not there.
  md: (source, to) => (to === 'pdf' ? undefined : pandoc('markdown')(source, to)),
  // It takes two programs to make anything but a wave file.
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
  // No program of the engine root does it alone.
  ttf: none,
  otf: none,
  ics: none,
  vcf: none,
  mhtml: none,
  // Shown as they are written, where LibreOffice by itself would look for a document inside.
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

/** Whether Pandoc prints it for us: it needs LaTeX to do so alone, and LibreOffice would show the markup itself. */
function isPrintedByPandoc(ext: string): boolean {
  const printer = engines.find(({ abilities }) =>
    abilitiesOf(abilities, 'convert').some(({ from, to }) => from === ext && to === 'pdf'),
  )
  return printer?.id === 'pandoc'
}

/** The command people use for a conversion; undefined where there is none. */
export function bareCommand(ext: string, to: string): BareCommand | undefined {
  const format = findFormat(ext)
  if (format === undefined) return undefined
  const usual = isPrintedByPandoc(format.ext) ? none : byFamily[format.family]
  return (byFormat[format.ext] ?? usual)(`${bareName}.${ext}`, to)
}
