import { isFailure } from '@lathe/domain'
import type { Ability, Engine, JsonObject, Plan, ProcessStep } from '../engine.ts'
import { checkOneSource } from '../plan-options.ts'
import { extractScript } from './extract-script.ts'
import { libarchiveScript } from './libarchive-script.ts'
import { archiveStepLimits, extractLimits } from './limits.ts'
import { extractOptions } from './options.ts'
import { readRefusal } from './refusals.ts'
import { readExtracted } from './report.ts'
import { archiveTool } from './tool.ts'

const readable = ['zip', '7z', 'rar', 'iso', 'tar', 'tar.gz', 'tar.bz2', 'tar.xz', 'tar.zst', 'gz', 'bz2', 'xz', 'zst']

const abilities: readonly Ability[] = readable.map((from) => ({
  operation: 'extract',
  from,
  to: from,
  options: extractOptions(from),
}))

/** Archives of all kinds, by libarchive. */
export const archives: Engine = {
  id: 'archive',
  family: 'image',
  tools: [archiveTool],
  cost: { startS: 0.3, perMiBS: 0.3 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective } = checked
    const { only, folders = true, strict = false, password } = effective
    const ask = {
      file: source.file,
      format: source.format,
      only: only === undefined ? [] : toPatterns(String(only)),
      folders: folders === true,
      strict: strict === true,
      limits: { ...extractLimits },
      ...(password !== undefined && { password: String(password) }),
    }
    const next: Plan['next'] = ({ stdout }) => readExtracted(stdout, { source, isChosen: only !== undefined })
    return { kind: 'plan', steps: [extractStep(ask)], outputs: [], warnings: checked.warnings, next }
  },
}

function toPatterns(only: string): readonly string[] {
  const patterns = only.split(',').map((one) => one.trim().toLowerCase())
  return patterns.filter((one) => one !== '')
}

function extractStep(ask: JsonObject): ProcessStep {
  return {
    kind: 'process',
    profile: archiveTool.name,
    program: 'python3',
    args: ['extract.py'],
    modules: { extract: extractScript, libarchive: libarchiveScript },
    writes: [{ file: 'extract.json', text: JSON.stringify(ask) }],
    outputs: [],
    limits: archiveStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}
