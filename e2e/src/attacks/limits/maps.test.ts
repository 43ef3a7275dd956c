import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { mapSources } from '../../../../fixtures/maps.ts'
import { zip } from '../../../../fixtures/zip.ts'
import { mapStep } from '../../../../packages/engines/src/maps/maps.ts'
import { openZip } from '../../outputs.ts'
import { limitOf, runStep, withLimit } from '../support/run-step.ts'
import { isWithin, steps } from './steps.ts'

const bench = usePlanBench()

const end = (step: number) => (isWithin(step) ? 'done' : 'limit_exceeded')
const stepOf = (from: string, to: string) =>
  mapStep({ input: `in-0.${from}`, from, output: `out-0.${to}`, to, layers: 'all' })

async function shapefile(): Promise<Buffer> {
  const { outputs } = await runStep(bench, stepOf('geojson', 'shz'), { 'in-0.geojson': mapSources.geojson })
  return outputs['out-0.shz'] ?? Buffer.alloc(0)
}

// With smaller numbers in the place of the largest ones: it is the same code that counts.
describe('bytes of a map, 256 MiB', () => {
  it.each(steps)('%s [L-map-bytes]', async (_, step) => {
    const own = stepOf('geojson', 'csv')
    expect(limitOf(own, 'bytes')).toBe(256 * 1024 ** 2)
    const limited = withLimit(own, 'bytes', Buffer.byteLength(mapSources.geojson) - step)
    expect((await runStep(bench, limited, { 'in-0.geojson': mapSources.geojson })).end).toBe(end(step))
  })
})

describe('unpacked bytes of a shapefile, 1 GiB', () => {
  it.each(steps)('%s [L-map-unpacked]', async (_, step) => {
    const own = stepOf('shz', 'csv')
    expect(limitOf(own, 'unpacked')).toBe(1024 ** 3)
    const content = await shapefile()
    const size = [...(await openZip(content)).values()].reduce((sum, part) => sum + part.length, 0)
    expect((await runStep(bench, withLimit(own, 'unpacked', size - step), { 'in-0.shz': content })).end).toBe(end(step))
  })
})

describe('features of a map, 1,000,000', () => {
  it.each(steps)('%s [L-map-features]', async (_, step) => {
    const own = stepOf('geojson', 'csv')
    expect(limitOf(own, 'features')).toBe(1_000_000)
    const limited = withLimit(own, 'features', 2 - step)
    expect((await runStep(bench, limited, { 'in-0.geojson': mapSources.geojson })).end).toBe(end(step))
  })
})

describe('layers of a map, 200', () => {
  it.each(steps)('%s [L-map-layers]', async (_, step) => {
    const own = stepOf('kml', 'csv')
    expect(limitOf(own, 'layers')).toBe(200)
    const [folder = ''] = /<Folder>.*<\/Folder>/.exec(mapSources.kml) ?? []
    const content = mapSources.kml.replace(folder, folder.repeat(200 + step))
    expect((await runStep(bench, own, { 'in-0.kml': content })).end).toBe(end(step))
  })
})

describe('layers of a zipped shapefile, 200', () => {
  it.each(steps)('%s [L-map-layers]', async (_, step) => {
    const parts = [...(await openZip(await shapefile()))]
    const all = Array.from({ length: 200 + step }, (_, n) =>
      parts.map(([name, content]) => ({ name: `${n}-${name}`, content })),
    )
    expect((await runStep(bench, stepOf('shz', 'csv'), { 'in-0.shz': zip(all.flat()) })).end).toBe(end(step))
  })
})
