import { isFailure } from '@lathe/domain'
import type { Ability, Engine, Plan, ProcessStep, Step } from '../engine.ts'
import { checkOneSource } from '../plan-options.ts'
import { readWarnings, warningOf } from '../script-words.ts'
import { GiB, type Tool, usualProfile } from '../tool.ts'
import { cardsScript } from './cards-script.ts'
import { dataScript } from './data-script.ts'
import { dataLimits, dataStepLimits } from './limits.ts'
import { optionsOf } from './options.ts'
import { countsOf, parquetTool, readCall, writeCall } from './parquet/parquet.ts'
import { readScript } from './read-script.ts'
import { dataWarnings, readRefusal } from './report.ts'
import { valuesScript } from './values-script.ts'
import { writeScript } from './write-script.ts'
import { xmlScript } from './xml-script.ts'

/** Python with PyYAML, lxml and tomli-w. */
const dataTool: Tool = {
  name: 'data',
  family: 'pdf',
  program: 'usr/lib/python3/dist-packages/tomli_w',
  profile: { ...usualProfile, memoryBytes: 3 * GiB, cpus: 2 },
}

const documents = ['json', 'jsonl', 'yaml', 'toml', 'xml', 'csv', 'tsv']
const cards = ['ics', 'vcf']

const ability = (from: string, to: string) =>
  ({ operation: 'convert', from, to, options: optionsOf(from, to) }) satisfies Ability

const abilities = [
  ...documents.flatMap((from) => documents.filter((to) => to !== from).map((to) => ability(from, to))),
  ...documents.flatMap((format) => [ability(format, 'parquet'), ability('parquet', format)]),
  ...cards.flatMap((from) => ['csv', 'json'].map((to) => ability(from, to))),
]

/** The script's arguments for one conversion. */
export interface DataRun {
  readonly input: string
  readonly from: string
  readonly output: string
  readonly to: string
  readonly indent: number
  readonly separator: string
  readonly types: string
}

/** Reads a document in one format and writes it in another. */
export function dataStep(run: DataRun): ProcessStep {
  return {
    kind: 'process',
    profile: dataTool.name,
    program: 'python3',
    args: ['data.py'],
    modules: {
      data: dataScript,
      values: valuesScript,
      reading: readScript,
      writing: writeScript,
      markup: xmlScript,
      cards: cardsScript,
    },
    writes: [{ file: 'data.json', text: JSON.stringify({ ...run, limits: { ...dataLimits } }) }],
    outputs: [run.output],
    limits: dataStepLimits,
    capture: true,
    readExit: readRefusal,
  }
}

/** The formats that the Parquet runner writes itself. Other formats are converted from its JSON Lines. */
const streamed: ReadonlySet<string> = new Set(['csv', 'tsv', 'json', 'jsonl'])

function stepsOf(run: DataRun, compression: string): readonly Step[] {
  if (run.to === 'parquet') {
    const grid = 'grid-0.jsonl'
    return [dataStep({ ...run, output: grid, to: 'grid' }), writeCall({ input: grid, output: run.output, compression })]
  }
  if (run.from !== 'parquet') return [dataStep(run)]
  const { input, output, to, indent, separator } = run
  if (streamed.has(to)) return [readCall({ input, output, to, indent, separator })]
  const lines = 'rows-0.jsonl'
  return [
    readCall({ input, output: lines, to: 'jsonl', indent: 0, separator }),
    dataStep({ ...run, input: lines, from: 'jsonl' }),
  ]
}

/** Structured data, tables, calendars and contacts. */
export const data: Engine = {
  id: 'data',
  family: 'pdf',
  tools: [dataTool, parquetTool],
  cost: { startS: 0.3, perMiBS: 2 },
  abilities,

  plan(request) {
    const checked = checkOneSource(abilities, request)
    if (isFailure(checked)) return checked
    const { source, effective: options, warnings } = checked
    const { to } = request
    const output = `out-0.${to}`
    const run = {
      input: source.file,
      from: source.format,
      output,
      to,
      indent: options.indent ?? 2,
      separator: options.separator ?? (source.format === 'csv' ? 'auto' : 'comma'),
      types: options.types ?? 'auto',
    }
    const plan = { kind: 'plan', outputs: [{ file: output, format: to, source: 0 }] } as const
    const next: Plan['next'] = (found) => {
      const counted = countsOf(found).flatMap(([word, times]) => warningOf(dataWarnings, word, times))
      return { ...plan, steps: [], warnings: [...counted, ...readWarnings(dataWarnings, found.stdout)] }
    }
    return { ...plan, steps: stepsOf(run, options.compression ?? 'snappy'), warnings, next }
  },
}
