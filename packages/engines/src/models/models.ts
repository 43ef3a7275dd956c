import { type Failure, failure, isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, StepExit, StepLimits } from '../engine.ts'
import { enumOption } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { GiB, type Tool, usualProfile } from '../tool.ts'
import { modelScript } from './model-script.ts'

/** Limits of one run of Assimp. */
export const modelLimits: StepLimits = { timeMs: 120_000, memoryBytes: GiB, outputBytes: GiB }

/** Python with Assimp's library, which is installed with its program. */
const assimp: Tool = {
  name: 'assimp',
  family: 'image',
  program: 'usr/bin/assimp',
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2 },
}

const inputs = ['obj', 'stl', 'ply', 'glb', 'gltf', 'dae', '3ds', 'off', 'x', 'fbx', 'x3d'] as const

/**
 * Assimp's names for the output formats. Each writes a single file: OBJ is written without materials, which need
 * another file.
 */
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

/** The exporters for text encoding. */
const textExporters: Readonly<Record<string, string>> = { stl: 'stl', ply: 'ply' }

const encoding = enumOption(
  { name: 'encoding', label: 'Encoding', hint: 'How numbers are stored. Text is larger, but people can read it.' },
  { binary: 'Binary', text: 'Text' },
  'binary',
)

// Pairs with the same options share one list, because lists are compared by identity.
const chosen = [encoding]
const none: typeof chosen = []

const abilities = inputs.flatMap((from) =>
  Object.keys(exporters)
    .filter((to) => to !== from)
    .map(
      (to) =>
        ({
          operation: 'convert',
          from,
          to,
          options: to in textExporters ? chosen : none,
        }) satisfies Ability,
    ),
)

/** Converts 3D models. */
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
    const plan = { kind: 'plan', outputs: [{ file: out, format: to, source: 0 }] } as const
    const next: Plan['next'] = ({ stdout }) => ({
      ...plan,
      steps: [],
      warnings: /^others$/m.test(stdout.join('')) ? [othersLeftOut] : [],
    })
    return {
      ...plan,
      steps: [
        {
          kind: 'process',
          profile: assimp.name,
          program: 'python3',
          args: ['model.py', source.file, out, exporter ?? exporters[to] ?? ''],
          modules: { model: modelScript },
          outputs: [out],
          limits: modelLimits,
          capture: true,
          readExit,
        },
      ],
      warnings,
      next,
    }
  },
}

const othersLeftOut = 'The model names other files, such as materials, which did not come with it. They were left out.'

// The script exits with 10 or 11 if Assimp cannot load a file; 11 if Assimp had asked for another file.
function readExit({ code, stderr }: StepExit): Failure | undefined {
  const detail = stderr.slice(-2000)
  if (code === 11) {
    const text =
      'The model keeps its data in other files, which did not come with it. Save it as one file, such as GLB.'
    return failure('input_damaged', { text, detail })
  }
  return code === 10 ? failure('input_damaged', { detail }) : undefined
}
