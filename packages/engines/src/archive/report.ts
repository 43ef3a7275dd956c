import { type Failure, failure } from '@lathe/domain'
import { cleanFilename, cleanFolder, findFormat, splitName } from '@lathe/formats'
import { ended } from '../alongside.ts'
import type { Plan, PlannedOutput, SourceFile } from '../engine.ts'
import { readJsonLines, wordIn } from '../json-lines.ts'
import { uniqueName } from './unique-name.ts'

interface ExtractRequest {
  readonly source: SourceFile
  /** Whether the option `only` selects files. */
  readonly isChosen: boolean
}

/** Reads the output of the script: one line per file, and one about skipped entries. */
export function readExtracted(stdout: readonly string[], request: ExtractRequest): Plan | Failure {
  const found = readJsonLines(stdout)
  const files = found.filter(({ file }) => /^item-\d{1,5}\.bin$/.test(wordIn(file)))
  const end = found.find((one) => typeof one.left === 'object' && one.left !== null) ?? {}
  const left = (end.left ?? {}) as Readonly<Record<string, unknown>>
  const count = (name: string) => (typeof left[name] === 'number' ? left[name] : 0)
  const damaged = count('damaged') + count('method')
  if (damaged > 0 && files.length === 0) return failure('input_damaged')
  if (files.length === 0) return failure('no_files', { text: whyEmpty(request.isChosen && count('others') > 0) })
  const taken = new Set<string>()
  const outputs = files.map(({ file, name }, n): PlannedOutput => {
    const own = end.raw === true ? nameOfContent(request.source) : wordIn(name)
    const folder = folderOf(own)
    const unique = uniqueName(taken, folder, cleanFilename(own) ?? `file-${n + 1}`)
    const format = formatOf(unique)
    return { file: wordIn(file), format, isForeign: true, source: 0, name: unique, ...(folder && { folder }) }
  })
  return ended(outputs, warningsOf({ damaged, links: count('links'), special: count('special') }))
}

function whyEmpty(isChosen: boolean): string {
  return isChosen ? 'No file in the archive fits the option only.' : 'The archive holds no files.'
}

/** The name of the file in a compressed file: the outer name without its last extension. */
function nameOfContent({ filename }: SourceFile): string {
  return splitName(filename).stem || 'file'
}

// Requests cannot name longer folders. Longer paths lose their upper levels.
const longestFolder = 1000

function folderOf(path: string): string {
  const slash = path.lastIndexOf('/')
  const folder = slash === -1 ? '' : cleanFolder(path.slice(0, slash))
  return folder.length > longestFolder ? cleanFolder(folder.slice(-longestFolder)) : folder
}

// The format is detected from the bytes later. If neither bytes nor name reveal it, it is `bin`.
function formatOf(name: string): string {
  const ext = splitName(name).ext.toLowerCase()
  return findFormat(ext)?.ext ?? (/^[a-z0-9]{1,10}$/.test(ext) ? ext : 'bin')
}

function warningsOf(left: Readonly<Record<'damaged' | 'links' | 'special', number>>): readonly string[] {
  const reported = (number: number, one: string, many: string) =>
    number === 0 ? [] : [number === 1 ? `1 ${one} was left out.` : `${number} ${many} were left out.`]
  return [
    ...(left.damaged > 0
      ? [
          'Some files of the archive are damaged, or compressed by a method that Lathe cannot read. The others were extracted.',
        ]
      : []),
    ...reported(left.links, 'link', 'links'),
    ...reported(left.special, 'device or pipe', 'devices or pipes'),
  ]
}
