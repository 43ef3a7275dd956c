import type { Detected } from './detect.ts'
import { describeFormat, explainMisnamed, explainUnsupported, type Told } from './explain-format.ts'
import { splitName } from './filename.ts'
import { findFormat } from './formats.ts'
import { findRecognised } from './recognised.ts'

/** What is known about a file's format before anyone decodes it. */
export interface FormatFacts {
  readonly detected: Detected | undefined
  readonly declared?: string | undefined
  readonly filename: string
}

/** The format a file is treated as, with a word to its owner where that differs from the declaration. */
export interface ResolvedFormat {
  readonly ext: string | undefined
  readonly warning?: string
  /** Whether the file has to be unpacked by gzip first. */
  readonly isPacked?: boolean
  /** What the file is, where that is a format we can only name. */
  readonly recognised?: string
  /** Why nobody should try to read the file, where `ext` is missing and more is known than that. */
  readonly refusal?: Refusal
}

/** What to tell the owner of a file that is not read. */
export interface Refusal {
  /** `input_damaged` for bytes of no known kind under a name that promises one. */
  readonly code: 'unsupported' | 'input_damaged'
  readonly text: string
}

/** Formats that each file of theirs shows in its bytes: what does not show them is something else. */
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

/** Office programs read text under these names, and so do we: exports of other programs are often called so. */
const readAsText: Readonly<Record<string, string>> = {
  ...Object.fromEntries(['doc', 'dot', 'docx', 'rtf', 'wps', 'wpd', 'wri'].map((ext) => [ext, 'txt'])),
  ...Object.fromEntries(['xls', 'xlsx', 'xlsb'].map((ext) => [ext, 'csv'])),
}

/** What the file is called by others than its bytes: extensions that were found in a table. */
type Called = Pick<Told, 'named' | 'declared'>

/** Settles a file's format: bytes where they are conclusive, then the declaration, then the name, then a guess. */
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
  // Sources of which we only know the name are text, so whoever says how to read them is obeyed.
  const isSource = findRecognised(ext)?.readAs !== undefined
  if (isSource && findFormat(claimed ?? '')?.family === 'text') return { ext: claimed }
  if (findFormat(ext) === undefined) return readRecognised(ext, called)
  // A page that says "not found" is often kept under the name of what was looked for.
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
  // A text called x.it or x.mod is no music, and one called x.pdb no image.
  if (detected !== undefined && isText(detected) && isNeverText(claimed)) return { ext: detected.ext }
  // A script called x.png would otherwise be an engine's to refuse.
  if (claimed === detected?.ext || !unmistakable.has(claimed)) return { ext: claimed }
  return misnamed(detected === undefined ? 'input_damaged' : 'unsupported', {
    ...called,
    ...(detected && { ext: detected.ext }),
  })
}

function isNeverText(claimed: string): boolean {
  return ['mod', 'it', 's3m', 'xm', 'avs', 'ff', 'pdb', 'vips'].includes(claimed)
}

// Text is what such a format never is.
function isPromised(claimed = ''): boolean {
  return unmistakable.has(claimed) && findFormat(claimed)?.family !== 'text'
}

function misnamed(code: Refusal['code'], reported: Partial<Told>): ResolvedFormat {
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
