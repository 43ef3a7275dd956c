import { isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, ProcessStep } from '../engine.ts'
import { enumOption } from '../option-descriptor.ts'
import { checkOneSource } from '../plan-options.ts'
import { readWarnings } from '../script-words.ts'
import { GiB, type Tool, usualProfile } from '../tool.ts'
import { copyScript } from './copy-script.ts'
import { mapLimits, mapStepLimits } from './limits.ts'
import { mapScript } from './map-script.ts'
import { mapWarnings, readRefusal } from './report.ts'
import { shapesScript } from './shapes-script.ts'

/** Python with GDAL and PROJ. */
const mapTool: Tool = {
  name: 'maps',
  family: 'pdf',
  program: 'usr/lib/python3/dist-packages/osgeo',
  // Drivers are never loaded from a folder.
  profile: { ...usualProfile, memoryBytes: 2 * GiB, cpus: 2, env: { GDAL_DRIVER_PATH: 'disable' } },
}

const inputs = ['geojson', 'kml', 'gpx', 'gml', 'gpkg', 'fgb', 'shz']
const outputs = [...inputs, 'csv']

const layers = enumOption(
  { name: 'layers', label: 'Layers', hint: 'Which parts of the GPX file are converted.' },
  {
    all: 'Waypoints, routes and tracks',
    waypoints: 'Waypoints',
    routes: 'Routes',
    tracks: 'Tracks',
    points: 'The points of tracks and routes, each with its time and elevation',
  },
  'all',
)

// Pairs with the same options share one list, because lists are compared by identity.
const chosen = [layers]
const none: typeof chosen = []

const abilities = inputs.flatMap((from) =>
  outputs
    .filter((to) => to !== from)
    .map((to) => ({ operation: 'convert', from, to, options: from === 'gpx' ? chosen : none }) satisfies Ability),
)

/** The script's arguments for one conversion. */
export interface MapRun {
  readonly input: string
  readonly from: string
  readonly output: string
  readonly to: string
  readonly layers: string
}

/** Reads a map in one format and writes it in another. */
export function mapStep(run: MapRun): ProcessStep {
  return {
    kind: 'process',
    profile: mapTool.name,
    program: 'python3',
    args: ['maps.py'],
    modules: { maps: mapScript, copying: copyScript, shapes: shapesScript },
    writes: [{ file: 'maps.json', text: JSON.stringify({ ...run, limits: { ...mapLimits } }) }],
    outputs: [run.output],
    limits: mapStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}

/** Maps: points, lines and areas with their attributes. */
export const maps: Engine = {
  id: 'maps',
  family: 'pdf',
  tools: [mapTool],
  cost: { startS: 0.5, perMiBS: 1 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective: options, warnings } = checked
    const { to } = request
    const output = `out-0.${to}`
    const step = mapStep({
      input: source.file,
      from: source.format,
      output,
      to,
      layers: options.layers ?? 'all',
    })
    const plan = { kind: 'plan', outputs: [{ file: output, format: to, source: 0 }] } as const
    const next: Plan['next'] = ({ stdout }) => ({ ...plan, steps: [], warnings: readWarnings(mapWarnings, stdout) })
    return { ...plan, steps: [step], warnings, next }
  },
}
