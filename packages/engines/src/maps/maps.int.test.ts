import { isFailure } from '@lathe/domain'
import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { mapSources } from '../../../../fixtures/maps.ts'

const bench = usePlanBench()

type Content = string | Uint8Array

const run = (from: string, content: Content, to: string, options = {}) =>
  bench.run({ operation: 'convert', sources: [{ format: from, content }], to, options })

async function convert(from: string, content: Content, to: string, options = {}) {
  const end = await run(from, content, to, options)
  if (isFailure(end)) throw new Error(`${end.code}: ${end.text ?? end.detail}`)
  return { bytes: end.files[0]?.bytes ?? Buffer.alloc(0), warnings: end.warnings }
}

interface Feature {
  readonly properties: Readonly<Record<string, unknown>>
  readonly geometry: { readonly type: string; readonly coordinates: readonly unknown[] }
}

async function featuresOf(from: string, content: Content, options = {}): Promise<readonly Feature[]> {
  return JSON.parse(String((await convert(from, content, 'geojson', options)).bytes)).features
}

const collection = (...features: readonly unknown[]) => JSON.stringify({ type: 'FeatureCollection', features })
const feature = (type: string, coordinates: unknown, properties = {}) => ({
  type: 'Feature',
  properties,
  geometry: { type, coordinates },
})

const point = feature('Point', [8.55, 47.37], { name: 'Zürich', rank: 2, height: 408.5, fid: 7 })
const line = feature('LineString', [
  [1, 2],
  [3, 4],
])
const area = feature('Polygon', [
  [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 0],
  ],
])

describe('maps', { timeout: 120_000 }, () => {
  it.each(['kml', 'gpx', 'gml', 'gpkg', 'fgb', 'shz'])('keep places and attributes by way of %s', async (format) => {
    const { bytes, warnings } = await convert('geojson', collection(point), format)
    expect(warnings).toEqual([])
    const [found, ...others] = await featuresOf(format, bytes)
    expect(others).toEqual([])
    expect(found?.geometry.coordinates.slice(0, 2)).toEqual([8.55, 47.37])
    const values = Object.values(found?.properties ?? {})
    expect(values).toEqual(expect.arrayContaining(['Zürich', 2, 408.5, 7]))
  })

  it.each(['kml', 'gml', 'gpkg', 'fgb', 'shz'])('keep lines and areas by way of %s', async (format) => {
    const { bytes } = await convert('geojson', collection(point, line, area), format)
    const types = (await featuresOf(format, bytes)).map(({ geometry }) => geometry.type.replace('Multi', ''))
    expect(types.sort()).toEqual(['LineString', 'Point', 'Polygon'])
  })

  it('report what of KML could not be read', async () => {
    const kml = mapSources.kml.replaceAll(/<\/?(?:Document|Folder)>|<name>Places<\/name>/g, '')
    const { warnings } = await convert('kml', kml, 'geojson')
    expect(warnings).toEqual(['Placemarks that are not inside a document or folder were left out: 1.'])
  })

  it('become tables with their shapes as WKT', async () => {
    const { bytes } = await convert('geojson', collection(point), 'csv')
    expect(String(bytes)).toBe('WKT,name,rank,height,fid\n"POINT (8.55 47.37)",Zürich,2,408.5,7\n')
  })

  it('are brought to degrees where the format wants them', async () => {
    const point = '<gml:Point srsName="urn:ogc:def:crs:EPSG::25832"><gml:pos>500000 5500000</gml:pos></gml:Point>'
    const gml = mapSources.gml.replace(/<gml:Point.*?<\/gml:Point>/, point)
    const [found] = await featuresOf(
      'gml',
      gml.replace(/<gml:featureMember>(?!.*<gml:featureMember>).*<\/gml:featureMember>/, ''),
    )
    expect(found?.geometry.coordinates[0]).toBeCloseTo(9, 6)
    expect(found?.geometry.coordinates[1]).toBeCloseTo(49.65254, 4)
  })
})

describe('tracks', { timeout: 120_000 }, () => {
  it('become layers where the format has them', async () => {
    const { bytes, warnings } = await convert('gpx', mapSources.gpx, 'kml')
    expect(String(bytes)).toMatch(/<name>waypoints<\/name>[\s\S]*<name>tracks<\/name>/)
    expect(String(bytes)).toContain('13.4,52.5,50.5')
    expect(warnings).toEqual([expect.stringContaining('times of track points')])
  })

  it('are merged if it has one layer, with a warning', async () => {
    const { bytes, warnings } = await convert('gpx', mapSources.gpx, 'geojson')
    const layers = JSON.parse(String(bytes)).features.map((one: Feature) => one.properties.layer)
    expect(layers).toEqual(['waypoints', 'waypoints', 'tracks'])
    expect(warnings).toEqual([expect.stringContaining('times'), expect.stringContaining('2 layers')])
  })

  it('are converted in part if asked', async () => {
    const only = async (layers: string) => (await featuresOf('gpx', mapSources.gpx, { layers })).length
    expect([await only('waypoints'), await only('tracks'), await only('points')]).toEqual([2, 1, 2])
    expect(await run('gpx', mapSources.gpx, 'csv', { layers: 'routes' })).toMatchObject({ code: 'input_damaged' })
    const { bytes } = await convert('gpx', mapSources.gpx, 'csv', { layers: 'points' })
    expect(String(bytes)).toContain('2026/03/02 10:00:00+00')
  })

  it('contain no areas, with a warning', async () => {
    const { warnings } = await convert('geojson', collection(point, area), 'gpx')
    expect(warnings).toEqual(['Shapes that the output format cannot hold were left out: 1.'])
    expect(await run('geojson', collection(area), 'gpx')).toMatchObject({ code: 'unsupported' })
  })
})

describe('shapefiles', { timeout: 120_000 }, () => {
  it('are one for each kind of shapes, with all their files', async () => {
    const { bytes, warnings } = await convert(
      'geojson',
      collection(point, { ...line, properties: { 'a long name': 1 } }),
      'shz',
    )
    const { stdout } = await bench.tool('bsdtar', ['-tf', 'a.zip'], { files: { 'a.zip': bytes } })
    const files = ['line', 'point'].flatMap((kind) =>
      ['cpg', 'dbf', 'prj', 'shp', 'shx'].map((end) => `map_${kind}.${end}`),
    )
    expect(stdout.trim().split('\n').sort()).toEqual(files.sort())
    expect(warnings).toEqual(['Names of attributes were cut to 10 characters, which is what a shapefile holds.'])
  })

  it('are read without their other files, with a warning', async () => {
    const { bytes } = await convert('geojson', collection(point), 'shz')
    const files = { 'a.zip': bytes }
    const { outputs } = await bench.tool('bsdtar', ['-xf', 'a.zip'], { files, outputs: ['map.shp'] })
    const { warnings } = await convert('shz', outputs['map.shp'] ?? '', 'geojson')
    expect(warnings).toEqual([
      expect.stringContaining('without its table'),
      expect.stringContaining('reference system'),
    ])
  })
})
