import { usePlanBench } from '@lathe/testing/vitest'
import { describe, expect, it } from 'vitest'
import { mapSources } from '../../../../fixtures/maps.ts'
import { zip } from '../../../../fixtures/zip.ts'

const bench = usePlanBench()

const run = (from: string, content: string | Uint8Array, to: string) =>
  bench.run({ operation: 'convert', sources: [{ format: from, content }], to })

const inputs = ['geojson', 'kml', 'gpx', 'gml', 'gpkg', 'fgb', 'shz']
const source = 'usr/share/gdal/gdalvrt.xsd'
const vrt = `<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>/${source}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`

describe('a file that is not a map', { timeout: 120_000 }, () => {
  it.each([
    ['a virtual dataset', vrt],
    ['the address of a service', 'WFS:http://127.0.0.1:9/?service=WFS'],
    ['an address', 'http://127.0.0.1:9/a.geojson'],
    ['a path of GDAL', '/vsicurl/http://127.0.0.1:9/a.geojson'],
    ['a service description', '<OGRWFSDataSource><URL>http://127.0.0.1:9/</URL></OGRWFSDataSource>'],
    ['a table', 'WKT,name\n"POINT (1 2)",x\n'],
    ['nothing', ''],
    ['JSON', '{"type": "Topology", "objects": {}}'],
  ])('is opened by no other driver: %s', async (_, content) => {
    for (const from of inputs) expect(await run(from, content, 'csv')).toMatchObject({ code: 'input_damaged' })
  })
})

describe('a map that names other files', { timeout: 120_000 }, () => {
  const link = '<NetworkLink><Link><href>file:///etc/passwd</href></Link></NetworkLink>'
  const entity = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
  const inside = (text: string, doctype: string) => text.replace('?>\n', `?>\n${doctype}`)

  it.each([
    ['kml', mapSources.kml.replace('<Folder>', `${link}<Folder>`)],
    ['kml', inside(mapSources.kml.replace('Berlin', '&e;'), entity)],
    ['gpx', inside(mapSources.gpx.replace('Berlin', '&e;'), entity)],
    ['gml', inside(mapSources.gml.replace('Berlin', '&e;'), entity)],
    [
      'gml',
      mapSources.gml.replace(
        '<ogr:name>Berlin</ogr:name>',
        '<ogr:name xlink:href="file:///etc/passwd" xmlns:xlink="http://www.w3.org/1999/xlink"/>',
      ),
    ],
    [
      'gml',
      mapSources.gml.replace(
        'xmlns:ogr',
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:x file:///etc/passwd" xmlns:ogr',
      ),
    ],
    [
      'geojson',
      mapSources.geojson.replace(
        '"features"',
        '"crs":{"type":"link","properties":{"href":"http://127.0.0.1:9/","type":"proj4"}},"features"',
      ),
    ],
    [
      'geojson',
      mapSources.geojson.replace('"features"', '"crs":{"type":"name","properties":{"name":"/etc/passwd"}},"features"'),
    ],
  ])('reads nothing of them: %s [A08]', async (from, content) => {
    const end = await run(from, content, 'csv')
    if (end.kind === 'done') expect(String(end.files[0]?.bytes)).not.toContain('root:')
    else expect(end.code).toBe('input_damaged')
  })

  it('unpacks no file out of its folder', async () => {
    const names = ['../../evil.shp', '/tmp/evil.shx', '../evil.dbf', 'a/../../evil.prj']
    const end = await run('shz', zip(names.map((name) => ({ name, content: 'x' }))), 'csv')
    expect(end).toMatchObject({ code: 'input_damaged' })
  })
})

describe('a map over a limit', { timeout: 120_000 }, () => {
  it.each([
    ['kml', `${mapSources.kml.slice(0, 90)}${'<Folder>'.repeat(50_000)}`],
    ['gpx', `${mapSources.gpx.slice(0, 120)}${'<extensions>'.repeat(50_000)}`],
    ['gml', `${mapSources.gml.slice(0, 150)}${'<ogr:a>'.repeat(50_000)}`],
    ['geojson', `{"type":"FeatureCollection","features":${'['.repeat(100_000)}`],
    ['geojson', `{"type":"Point","coordinates":[1e999,${'9'.repeat(100_000)}]}`],
    ['kml', inTen('kml')],
    ['gpx', inTen('gpx')],
    ['gml', inTen('gml')],
  ])('ends in a result or a failure: %s', async (from, content) => {
    const end = await run(from, content, 'csv')
    expect(end.kind === 'done' ? 'done' : end.code).toMatch(/^(done|input_damaged|limit_exceeded)$/)
    if (end.kind === 'done') expect(end.files[0]?.bytes.length).toBeLessThan(10_000_000)
  })

  it.each(inputs)('with damaged bytes ends in a result or a failure: %s', async (from) => {
    const whole = await run('geojson', mapSources.geojson, from)
    const bytes = whole.kind === 'done' ? whole.files[0]?.bytes : Buffer.from(mapSources.geojson)
    for (let at = 8; at < (bytes?.length ?? 0); at += Math.ceil((bytes?.length ?? 0) / 12)) {
      const broken = Buffer.from(bytes ?? '')
      broken.fill(0xff, at, Math.min(at + 16, broken.length))
      const end = await run(from, broken, 'csv')
      expect(end.kind === 'done' ? 'done' : end.code).toMatch(/^(done|input_damaged|unsupported|limit_exceeded)$/)
    }
  })
})

/** Entities that each expand to ten of the previous one. */
function inTen(format: 'kml' | 'gpx' | 'gml'): string {
  const letters = [...'abcdefghi']
  const entities = letters.map(
    (name, n) => `<!ENTITY ${name} "${(n === 0 ? 'ha' : `&${letters[n - 1]};`).repeat(10)}">`,
  )
  return mapSources[format].replace('?>\n', `?>\n<!DOCTYPE x [${entities.join('')}]>`).replace('Berlin', '&i;')
}
