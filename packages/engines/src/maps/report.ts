import type { Failure } from '@lathe/domain'
import { type Refusals, refusalReader, type Warnings } from '../script-words.ts'
import { mapLimits } from './limits.ts'

const named = (count: number) => count.toLocaleString('en')

export const mapWarnings: Warnings = {
  alone: () => 'The shapefile came without its table, so its features have no attributes. Zip all its files together.',
  failed: (n) => `Features that the output format cannot hold were left out: ${named(n)}.`,
  merged: (n) =>
    `The map has ${named(n)} layers, and the output format holds one. The attribute layer tells them apart.`,
  names: () => 'Names of attributes were cut to 10 characters, which is what a shapefile holds.',
  placemarks: (n) => `Placemarks that are not inside a document or folder were left out: ${named(n)}.`,
  reference: () => 'The map does not state its coordinate reference system. Its coordinates were kept as they are.',
  shapes: (n) => `Shapes that the output format cannot hold were left out: ${named(n)}.`,
  times: () => 'The times of track points were left out. The option layers with the value points keeps them.',
}

const limit = (what: string): readonly [Failure['code'], string] => [
  'limit_exceeded',
  `${what}, which is the limit. Split the map and convert the parts.`,
]
const mebibytes = (bytes: number) => `${named(bytes / 1024 ** 2)} MiB`

const refusals: Refusals = {
  bytes: limit(`The map is larger than ${mebibytes(mapLimits.bytes)}`),
  unpacked: limit(`The shapefile unpacks to more than ${mebibytes(mapLimits.unpacked)}`),
  features: limit(`The map has more than ${named(mapLimits.features)} features`),
  layers: limit(`The map has more than ${mapLimits.layers} layers`),
  damaged: ['input_damaged', 'The map is damaged, or it is no map of this format.'],
  empty: ['input_damaged', 'The map holds no features.'],
  shapes: ['unsupported', 'The map holds no points or lines, and GPX has nothing else.'],
  projection: [
    'unsupported',
    'The map does not state its coordinate reference system, and its coordinates are no degrees. Add the .prj file.',
  ],
}

export const readRefusal = refusalReader(refusals)
