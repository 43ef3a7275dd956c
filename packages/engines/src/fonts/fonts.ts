import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, StepExit, StepLimits } from '../engine.ts'
import type { OptionDescriptor } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { GiB, type Tool, usualProfile } from '../tool.ts'
import { fontScript } from './font-script.ts'

/** Python with fontTools. */
const fontTools: Tool = {
  name: 'fonts',
  family: 'pdf',
  program: 'usr/lib/python3/dist-packages/fontTools',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}

/** Limits of one run: converting the curves of a Chinese font takes a minute. */
export const fontLimits: StepLimits = { timeMs: 300_000, memoryBytes: 2 * GiB, outputBytes: GiB }

const targets: Readonly<Record<string, readonly string[]>> = {
  ttf: ['woff', 'woff2'],
  otf: ['ttf', 'woff', 'woff2'],
  ttc: ['ttf', 'woff', 'woff2'],
  woff: ['ttf', 'woff2'],
  woff2: ['ttf', 'woff'],
}

const none: readonly OptionDescriptor[] = []

const abilities: readonly Ability[] = Object.entries(targets).flatMap(([from, list]) =>
  list.map((to): Ability => ({ operation: 'convert', from, to, options: none })),
)

const onlyFirst = 'A collection holds several fonts. Only the first was converted.'

/** Converts fonts for print and the web. */
export const fonts: Engine = {
  id: 'fonts',
  family: 'pdf',
  tools: [fontTools],
  cost: { startS: 0.5, perMiBS: 2 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, warnings } = checked
    const { to } = request
    const out = `out-0.${to}`
    return {
      kind: 'plan',
      steps: [
        {
          kind: 'process',
          profile: fontTools.name,
          program: 'python3',
          args: ['font.py', source.file, out, to],
          modules: { font: fontScript },
          outputs: [out],
          limits: fontLimits,
          readExit,
        },
      ],
      outputs: [{ file: out, format: to, source: 0 }],
      warnings: source.format === 'ttc' ? [...warnings, onlyFirst] : warnings,
    }
  },
}

// The script exits with 3 if it cannot read the file.
function readExit({ code, stderr }: StepExit): Failure | undefined {
  return code === 3 ? failure('input_damaged', { detail: stderr.slice(-2000) }) : undefined
}
