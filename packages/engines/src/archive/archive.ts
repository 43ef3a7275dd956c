import { type Failure, failure, isFailure } from '@lathe/domain'
import { ended } from '../alongside.ts'
import {
  type Ability,
  anyFormat,
  type Engine,
  type JsonObject,
  type Plan,
  type PlanRequest,
  type ProcessStep,
  type SourceFile,
} from '../engine.ts'
import { checkOneSource, checkPlanOptions } from '../plan-options.ts'
import { GiB } from '../tool.ts'
import { archiveScript } from './archive-script.ts'
import { extractScript } from './extract-script.ts'
import { libarchiveScript } from './libarchive-script.ts'
import { archiveStepLimits, extractLimits, packLimits } from './limits.ts'
import { archiveOptions, extractOptions } from './options.ts'
import { readRefusal } from './refusals.ts'
import { readExtracted } from './report.ts'
import { archiveTool } from './tool.ts'
import { uniqueName } from './unique-name.ts'

const readable = ['zip', '7z', 'rar', 'iso', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'gz', 'bz2', 'xz', 'zst']

const writable = ['zip', '7z', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst']

const abilities = [
  ...readable.map(
    (from) => ({ operation: 'extract', from, to: from, options: extractOptions(from) }) satisfies Ability,
  ),
  ...writable.map(
    (to) => ({ operation: 'archive', from: anyFormat, to, options: archiveOptions(to) }) satisfies Ability,
  ),
]

/** Reads and writes archives with libarchive. */
export const archives: Engine = {
  id: 'archive',
  family: 'image',
  tools: [archiveTool],
  cost: { startS: 0.3, perMiBS: 0.3 },
  abilities,

  plan(request) {
    return request.operation === 'archive' ? planArchive(request) : planExtract(request)
  },
}

function planExtract(request: PlanRequest): Plan | Failure {
  const checked = checkOneSource(abilities, request)
  if (isFailure(checked)) return checked
  const { source } = checked
  const { only, folders = true, strict = false, password } = checked.effective
  const ask = {
    file: source.file,
    format: source.format,
    only: only === undefined ? [] : toPatterns(only),
    folders,
    strict,
    limits: { ...extractLimits },
    ...(password !== undefined && { password }),
  }
  const step = scriptStep('extract', extractScript, ask)
  const next: Plan['next'] = ({ stdout }) => readExtracted(stdout, { source, isChosen: only !== undefined })
  return { kind: 'plan', steps: [step], outputs: [], warnings: checked.warnings, next }
}

function toPatterns(only: string): readonly string[] {
  const patterns = only.split(',').map((one) => one.trim().toLowerCase())
  return patterns.filter((one) => one !== '')
}

function planArchive(request: PlanRequest): Plan | Failure {
  const { sources, to } = request
  const refused = checkSize(sources)
  if (refused) return refused
  const checked = checkPlanOptions(abilities, request, sources)
  if (isFailure(checked)) return checked
  const { level = 6, folders = true, password } = checked.effective
  const taken = new Set<string>()
  const output = `out-0.${to}`
  const ask = {
    output,
    format: to,
    level,
    files: sources.map(({ file, filename, folder = '' }) => {
      const place = folders ? folder : ''
      const name = uniqueName(taken, place, filename)
      return { file, path: place === '' ? name : `${place}/${name}` }
    }),
    ...(password !== undefined && { password }),
  }
  const step: ProcessStep = { ...scriptStep('archive', archiveScript, ask), outputs: [output], readProgress }
  return { ...ended([{ file: output, format: to }], checked.warnings), steps: [step] }
}

function checkSize(sources: readonly SourceFile[]): Failure | undefined {
  const bytes = sources.reduce((sum, { size }) => sum + size, 0)
  if (sources.length > packLimits.files) {
    const text = `There are ${sources.length} files, and an archive takes ${packLimits.files}. Make several archives.`
    return failure('limit_exceeded', { text })
  }
  if (bytes <= packLimits.bytes) return undefined
  const text = `The files take more than ${packLimits.bytes / GiB} GiB, which is the limit. Make several archives.`
  return failure('limit_exceeded', { text })
}

function readProgress(line: string): number | undefined {
  const percent = /^progress (\d{1,3})$/.exec(line)?.[1]
  return percent === undefined ? undefined : Number(percent) / 100
}

function scriptStep(name: string, script: string, ask: JsonObject): ProcessStep {
  return {
    kind: 'process',
    profile: archiveTool.name,
    program: 'python3',
    args: [`${name}.py`],
    modules: { [name]: script, libarchive: libarchiveScript },
    writes: [{ file: `${name}.json`, text: JSON.stringify(ask) }],
    outputs: [],
    limits: archiveStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}
