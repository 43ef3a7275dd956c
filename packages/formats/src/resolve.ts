import type { Detected } from './detect.ts'
import { describeFormat, explainMisnamed, explainUnsupported, type ReportedFormat } from './explain-format.ts'
import { splitName } from './filename.ts'
import { findFormat } from './formats.ts'
import { findRecognised } from './recognised.ts'

/** What is known about the format of a file before it is decoded. */
export interface FormatFacts {
  readonly detected: Detected | undefined
  readonly declared?: string | undefined
  readonly filename: string
}

/** The format that a file is read as, with a warning if that differs from the declaration. */
export interface ResolvedFormat {
  readonly ext: string | undefined
  readonly warning?: string
  /** Whether the file must be unpacked by gzip first. */
  readonly isPacked?: boolean
  /** The format of the file, if it is one that we can only detect. */
  readonly recognised?: string
  /** Why the file cannot be read, if `ext` is missing and the reason is known. */
  readonly refusal?: Refusal
}

/** The failure for a file that is not read. */
export interface Refusal {
  /** `input_damaged` for unknown bytes under the name of a known format. */
  readonly code: 'unsupported' | 'input_damaged'
  readonly text: string
}

/** Formats whose files always have a signature: a file without it is something else. */
const unmistakable: ReadonlySet<string> = new Set([
  ...['jpg', 'png', 'gif', 'tiff', 'webp', 'avif', 'heic', 'jxl', 'jp2', 'psd', 'xcf', 'exr', 'dds', 'hdr', 'apng'],
  ...['pdf', 'mhtml', 'ps', 'eps', 'ai', 'flac', 'mkv', 'webm', '7z', 'rar', 'gz', 'emf'],
  ...[
    'odt',
    'ods',
    'odp',
    'odg',
    'ott',
    'ots',
    'otp',
    'otg',
    'dif',
    'djvu',
    'ras',
    'dcx',
    'qoi',
    'wordxml',
    'excelxml',
  ],
])

/** Office programs read text under these names, and so do we: exports of other programs often have them. */
const readAsText: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['doc', 'dot', 'docx', 'rtf', 'wps', 'wpd', 'wri'].map((ext) => [ext, 'txt'])),
  ...Object.fromEntries(['xls', 'xlsx', 'xlsb'].map((ext) => [ext, 'csv'])),
}

/** The format according to the declaration and the name: known extensions. */
type Called = Pick<ReportedFormat, 'named' | 'declared'>

/** Decides the format of a file: conclusive bytes first, then the declaration, then the name, then a guess. */
export function resolveFormat({ detected, declared, filename }: FormatFacts): ResolvedFormat {
  const stated = declared === undefined ? undefined : findFormat(declared)?.ext
  const ending = splitName(filename).ext
  const named = findFormat(ending)?.ext
  const called = { declared: stated, named: named ?? findRecognised(ending)?.ext }
  if (detected?.conclusive) {
    const sure = resolveSure(detected, called)
    return detected.isPacked && sure.ext !== undefined ? { ...sure, isPacked: true } : sure
  }
  const claimed = stated ?? named
  if (claimed !== undefined) return resolveClaimed(claimed, detected, called)
  const recognised = findRecognised(ending)
  if (recognised && (recognised.readAs !== undefined || !isText(detected)))
    return readRecognised(recognised.ext, called)
  if (detected === undefined) return { ext: undefined }
  return findFormat(detected.ext) ? { ext: detected.ext } : readRecognised(detected.ext, called)
}

function resolveSure({ ext, variants }: Detected, called: Called): ResolvedFormat {
  const { declared, named } = called
  const claimed = declared ?? named
  if (claimed !== undefined && variants?.includes(claimed)) return { ext: claimed }
  // Source formats that we can only detect are text, so a declaration or name of another text format is used.
  const isSource = findRecognised(ext)?.readAs !== undefined
  if (isSource && findFormat(claimed ?? '')?.family === 'text') return { ext: claimed }
  if (findFormat(ext) === undefined) return readRecognised(ext, called)
  // A "not found" page is often saved under the name of the requested file.
  if (isText({ ext }) && isPromised(claimed)) return misnamed('unsupported', { ext, ...called })
  if (declared === undefined || declared === ext) return { ext }
  return { ext, warning: `The input was declared as ${declared} but its content is ${ext}, so it was read as ${ext}.` }
}

function resolveClaimed(claimed: string, detected: Detected | undefined, called: Called): ResolvedFormat {
  if (detected !== undefined && isText(detected) && Object.hasOwn(readAsText, claimed)) {
    const ext = detected.ext === 'txt' ? readAsText[claimed] : detected.ext
    const how = called.declared === undefined ? `named .${claimed}` : `declared as ${claimed}`
    return { ext, warning: `The input is ${how} but its content is text, so it was read as ${ext}.` }
  }
  // A text named x.it or x.mod is not music, and one named x.pdb is not an image.
  if (detected !== undefined && isText(detected) && isNeverText(claimed)) return { ext: detected.ext }
  // Otherwise an engine would have to refuse a script named x.png.
  if (claimed === detected?.ext || !unmistakable.has(claimed)) return { ext: claimed }
  return misnamed(detected === undefined ? 'input_damaged' : 'unsupported', {
    ...called,
    ...(detected && { ext: detected.ext }),
  })
}

function isNeverText(claimed: string): boolean {
  return ['mod', 'it', 's3m', 'xm', 'avs', 'ff', 'pdb', 'vips'].includes(claimed)
}

// Such a format is never text.
function isPromised(claimed = ''): boolean {
  return unmistakable.has(claimed) && findFormat(claimed)?.family !== 'text'
}

function misnamed(code: Refusal['code'], reported: Partial<ReportedFormat>): ResolvedFormat {
  return { ext: undefined, refusal: { code, text: explainMisnamed(reported) } }
}

function isText(detected: Pick<Detected, 'ext'> | undefined): boolean {
  return detected !== undefined && findFormat(detected.ext)?.family === 'text'
}

function readRecognised(ext: string, called: Called): ResolvedFormat {
  const readAs = findRecognised(ext)?.readAs
  if (readAs === undefined) {
    const text = explainUnsupported({ ext, ...called })
    return { ext: undefined, recognised: ext, refusal: { code: 'unsupported', text } }
  }
  return { ext: readAs, warning: `The input is ${describeFormat(ext)}, which Lathe reads as ${readAs}.` }
}
