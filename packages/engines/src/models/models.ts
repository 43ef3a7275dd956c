import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, StepExit, StepLimits } from '../engine.ts'
import { enumOption, type OptionDescriptor } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { GiB, type Tool, usualProfile } from '../tool.ts'

/** What one run of Assimp may use. */
export const modelLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: GiB }

const assimp: Tool = {
  name: 'assimp',
  family: 'image',
  program: 'usr/bin/assimp',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}

const inputs = ['obj', 'stl', 'ply', 'glb', 'gltf', 'dae', '3ds', 'off', 'x', 'fbx', 'x3d'] as const

/** What Assimp calls the formats it writes. Each is one file: materials of OBJ would be another one. */
const exporters: Readonly<Record<string, string>> = {
  obj: 'objnomtl',
  stl: 'stlb',
  ply: 'plyb',
  glb: 'glb2',
  dae: 'collada',
  '3ds': '3ds',
  x: 'x',
  fbx: 'fbx',
  x3d: 'x3d',
}

/** The same as text. */
const textExporters: Readonly<Record<string, string>> = { stl: 'stl', ply: 'ply' }

const encoding = enumOption(
  { name: 'encoding', label: 'Encoding', hint: 'How numbers are stored. Text is larger, but people can read it.' },
  { binary: 'Binary', text: 'Text' },
  'binary',
)

// One list for pairs that take the same: lists are told apart by identity.
const chosen: readonly OptionDescriptor[] = [encoding]
const none: readonly OptionDescriptor[] = []

const abilities: readonly Ability[] = inputs.flatMap((from) =>
  Object.keys(exporters)
    .filter((to) => to !== from)
    .map((to): Ability => ({ operation: 'convert', from, to, options: to in textExporters ? chosen : none })),
)

/** Models in three dimensions. */
export const models: Engine = {
  id: 'models',
  family: 'image',
  tools: [assimp],
  cost: { startS: 0.3, perMiBS: 0.5 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective, warnings } = checked
    const { to } = request
    const out = `out-0.${to}`
    const exporter = effective.encoding === 'text' ? textExporters[to] : exporters[to]
    return {
      kind: 'plan',
      steps: [
        {
          kind: 'process',
          profile: assimp.name,
          program: 'assimp',
          args: ['export', source.file, out, `-f${exporter ?? exporters[to]}`],
          outputs: [out],
          limits: modelLimits,
          readExit,
        },
      ],
      outputs: [{ file: out, format: to, source: 0 }],
      warnings,
    }
  },
}

// 10 is Assimp's for a file that it cannot load.
function readExit({ code, stderr }: StepExit): Failure | undefined {
  return code === 10 ? failure('input_damaged', { detail: stderr.slice(-2000) }) : undefined
}
