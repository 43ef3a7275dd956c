import { cleanFilename, findFormat, splitName } from '@lathe/formats'
import type { PlannedOutput } from '../engine.ts'
import { readJsonLines, wordIn } from '../json-lines.ts'

/** What the script found in a message. */
export interface MailReport {
  readonly outputs: readonly PlannedOutput[]
  readonly warnings: readonly string[]
}

/** Reads the output of the script: one line per written attachment, and one about what was left out. */
export function readReport(stdout: readonly string[], isShown: boolean): MailReport {
  const found = readJsonLines(stdout)
  const files = found.filter(({ file }) => /^att-\d{1,4}\.bin$/.test(wordIn(file)))
  const counts = found.find((one) => typeof one.left === 'number') ?? {}
  return { outputs: nameEach(files), warnings: warningsOf(counts, isShown) }
}

function nameEach(files: readonly Record<string, unknown>[]): readonly PlannedOutput[] {
  const taken = new Set<string>()
  return files.map(({ file, name }, n) => {
    const clean = cleanFilename(wordIn(name)) ?? `attachment-${n + 1}`
    const unique = taken.has(clean.toLowerCase()) ? numbered(clean, n + 1) : clean
    taken.add(unique.toLowerCase())
    return { file: wordIn(file), format: formatOf(unique), source: 0, name: unique }
  })
}

function numbered(name: string, n: number): string {
  const { stem, ext } = splitName(name)
  return ext === '' ? `${stem}-${n}` : `${stem}-${n}.${ext}`
}

// Unknown formats keep their extension if it is plain.
function formatOf(name: string): string {
  const ext = splitName(name).ext.toLowerCase()
  return findFormat(ext)?.ext ?? (/^[a-z0-9]{1,10}$/.test(ext) ? ext : 'bin')
}

function warningsOf({ left, remote, count, messages }: Record<string, unknown>, isShown: boolean): readonly string[] {
  const [lost, all, taken] = [left, count, messages].map((value) => (typeof value === 'number' ? value : 0)) as [
    number,
    number,
    number,
  ]
  return [
    ...(lost === 1 ? ['1 attachment was left out. The option attachments adds it as a file.'] : []),
    ...(lost > 1 ? [`${lost} attachments were left out. The option attachments adds them as files.`] : []),
    ...(remote === true && isShown ? ['Images on the web were not loaded.'] : []),
    ...(all > taken ? [`The mailbox holds ${all} messages. The first ${taken} were converted.`] : []),
  ]
}
