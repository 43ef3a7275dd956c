import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { pdfLimits, pdfStepLimits } from './limits.ts'

/** The properties of a PDF, read before anything is drawn. */
export interface PdfInfo {
  readonly pages: readonly PageSize[]
  /** Whether the PDF restricts what readers may do. A document that needs a password to open has failed before. */
  readonly isEncrypted: boolean
  /** Whether poppler had to guess where objects are; only `examineStep` finds this out. */
  readonly isDamaged: boolean
}

/** The size of a page as it is shown, cropped to its crop box and rotated, in points. */
export interface PageSize {
  readonly width: number
  readonly height: number
}

/** Lists the pages of a PDF in the job folder with poppler; `readPdfInfo` reads the output. */
export function probeStep(file: string): ProcessStep {
  return {
    kind: 'process',
    profile: 'pdf',
    program: 'pdfinfo',
    args: probeArgs(file),
    outputs: [],
    limits: { ...pdfStepLimits, timeMs: 60_000 },
    capture: true,
    readExit: readProbeExit,
    weight: 0.05,
  }
}

// One page more than allowed is enough to detect too many.
const probeArgs = (file: string) => ['-f', '1', '-l', String(pdfLimits.pages + 1), file]

// Messages of poppler when it rebuilds the structure of a file: the table of objects, the trailer, the page tree.
const rebuilt = 'xref|trailer|catalog|pages (object|top-level)|kids object|end of file|may not be a pdf'

// The mark follows all output of pdfinfo, so no title or name in the document can fake or hide it.
const damageMark = 'Structure: damaged'
// Poppler rebuilds a broken table of objects silently; qpdf reports it.
const examine = `file=$1
shift
timeout 20 qpdf --show-npages "$file" 2>&1 >/dev/null | grep -am1 'file is damaged' >seen.txt &
"$@" 2>said.txt
code=$?
[ -s said.txt ] && cat said.txt >&2
wait
if [ -s seen.txt ]; then echo '${damageMark}'
elif [ -s said.txt ] && grep -aqiE '^(syntax|internal) (error|warning).*(${rebuilt})' said.txt; then echo '${damageMark}'; fi
exit $code
`

/** Like `probeStep`, and checks for damage. If tolerant, it leaves a file that does not open to `readPdfInfo`. */
export function examineStep(file: string, { isTolerant }: { isTolerant: boolean }): ProcessStep {
  const args = ['probe.sh', file, 'pdfinfo', ...probeArgs(file)]
  const readExit = (exit: StepExit) => {
    const known = readProbeExit(exit)
    return isTolerant && known?.code !== 'input_encrypted' ? {} : known
  }
  return { ...probeStep(file), program: 'sh', args, readExit, writes: [{ file: 'probe.sh', text: examine }] }
}

function readProbeExit({ code, stderr }: StepExit): Failure | undefined {
  if (/incorrect password/i.test(stderr)) return failure('input_encrypted', { detail: stderr })
  // 1: the file cannot be opened. A code above 128 is a signal, which means a crash.
  return code < 128 ? failure('input_damaged', { detail: `pdfinfo: exit ${code}\n${stderr}` }) : undefined
}

/** Reads the output of `probeStep`, and refuses a document beyond the limits. */
export function readPdfInfo(stdout: string): PdfInfo | Failure {
  // A title may contain line breaks and fake lines, but it comes before the page count: the last count is the real one.
  const facts = stdout.slice(Math.max(0, stdout.lastIndexOf('\nPages:')))
  const count = Number(/^Pages: +(\d+)$/m.exec(facts)?.[1] ?? 0)
  if (count > pdfLimits.pages) return tooMany(count)
  const pages = readSizes(facts)
  if (count === 0 || pages.length !== count) {
    return failure('input_damaged', { detail: `${pages.length} page sizes of ${count} pages` })
  }
  const huge = pages.findIndex(({ width, height }) => Math.max(width, height) > pdfLimits.points)
  if (huge !== -1) return tooLarge(huge + 1)
  return { pages, isEncrypted: /^Encrypted: +yes/m.test(facts), isDamaged: facts.includes(`\n${damageMark}\n`) }
}

function readSizes(facts: string): readonly PageSize[] {
  const turns = new Map(
    [...facts.matchAll(/^Page +(\d+) rot: +(\d+)$/gm)].map(([, page, turn]) => [page, Number(turn)]),
  )
  const sizes = facts.matchAll(/^Page +(\d+) size: +([\d.e+]+) x ([\d.e+]+) pts/gm)
  return [...sizes].map(([, page, across, up]) => {
    const [width, height] = [Number(across), Number(up)]
    return (turns.get(page) ?? 0) % 180 === 0 ? { width, height } : { width: height, height: width }
  })
}

/** The failure of a document that has too many pages. */
export function tooMany(count: number): Failure {
  return failure('limit_exceeded', { text: `The PDF has ${count} pages; the limit is ${pdfLimits.pages}.` })
}

/** The failure of a document with a page that is too long. */
export function tooLarge(page: number): Failure {
  const text = `Page ${page} of the PDF is longer than ${pdfLimits.points} points, the limit of the format.`
  return failure('limit_exceeded', { text })
}
