import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { mapSources } from '../../../../fixtures/maps.ts'
import { zip } from '../../../../fixtures/zip.ts'
import { canary, type EngineAttacks, openEngineAttacks } from '../testing/engine-attacks.ts'

let attacks: EngineAttacks
let plain: Buffer
beforeAll(async () => {
  attacks = await openEngineAttacks()
  const made = await attacks.run('geojson', mapSources.geojson, 'gpkg')
  plain = made.files[0]?.bytes ?? Buffer.alloc(0)
})
afterAll(() => attacks?.[Symbol.asyncDispose]())

const change = `import json, shutil, sqlite3
shutil.copyfile("a.gpkg", "b.gpkg")
with open("ask.json") as file:
    statements = json.load(file)
database = sqlite3.connect("b.gpkg")
for one in statements:
    database.execute(one)
database.commit()
database.close()`

/** The two points of the sample, in a database that further statements changed. */
async function withStatements(...statements: readonly string[]): Promise<Buffer> {
  const files = { 'a.gpkg': plain, 'ask.json': JSON.stringify(statements) }
  const { outputs, end } = await attacks.bench.tool('python3', ['-c', change], { files, outputs: ['b.gpkg'] })
  if (end.kind !== 'exited' || end.code !== 0) throw new Error(`no database: ${JSON.stringify(end)}`)
  return outputs['b.gpkg'] ?? Buffer.alloc(0)
}

/** A layer of the database that is computed when it is read. */
const withView = (select: string) =>
  withStatements(
    `CREATE VIEW v AS ${select}`,
    `INSERT INTO gpkg_contents(table_name, data_type, identifier, srs_id) VALUES('v', 'attributes', 'v', 0)`,
  )

describe('a map that is a database', { timeout: 120_000 }, () => {
  it('may compute a layer', async () => {
    const { code, shown } = await attacks.run('gpkg', await withView("SELECT 1 AS fid, 'made' AS a"), 'csv')
    expect(code).toBe('done')
    expect(shown).toMatch(/Berlin[\s\S]*made/)
  })

  it.each([
    ['loads no library', `load_extension('/usr/lib/x86_64-linux-gnu/libm.so.6')`],
    ['reads no file', `readfile('${canary}')`],
    ['writes no file', `writefile('/tmp/pwned', 'x')`],
    ['opens no other map', `gdal_get_pixel_value('${canary}', 1, 'pixel', 0, 0)`],
    ['opens no other layer', `ogr_datasource_load_layers('${canary}')`],
    ['asks nobody', `ogr_geocode('Berlin')`],
  ])('%s [A08]', async (_, call) => {
    const map = await withView(`SELECT 1 AS fid, ${call} AS a`)
    expect(await attacks.run('gpkg', map, 'csv')).toMatchObject({ code: 'input_damaged' })
  })

  it('does nothing when it is opened', async () => {
    const map = await withStatements(
      'CREATE TABLE told(x)',
      `CREATE TRIGGER t AFTER INSERT ON told BEGIN SELECT load_extension('x'); END`,
      `CREATE TABLE IF NOT EXISTS gpkg_extensions(table_name, column_name, extension_name, definition, scope)`,
      `INSERT INTO gpkg_extensions VALUES(NULL, NULL, 'x', '${attacks.url}/x', 'read-write')`,
    )
    const { code, shown } = await attacks.run('gpkg', map, 'csv')
    expect(code).toBe('done')
    expect(shown).toContain('Berlin')
  })

  it.each([
    [
      'rows',
      'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x AS fid, x AS a FROM c',
      'limit_exceeded',
    ],
    ['bytes', 'SELECT 1 AS fid, hex(zeroblob(500000000)) AS a', 'input_damaged'],
  ])('is stopped when it computes without end: %s [B07]', async (_, select, code) => {
    expect(await attacks.run('gpkg', await withView(select), 'csv')).toMatchObject({ code })
  })
})

describe('a map with names that GDAL knows', { timeout: 120_000 }, () => {
  const paths = () => [
    canary,
    `/vsicurl/${attacks.url}/a`,
    `/vsizip/${canary}`,
    `/vsisubfile/0_40,${canary}`,
    `${attacks.url}/a`,
  ]

  it('opens nothing by the name of a place [A08]', async () => {
    for (const name of paths()) {
      for (const from of ['geojson', 'kml', 'gpx', 'gml'] as const) {
        const { code, shown } = await attacks.run(from, mapSources[from].replaceAll('Berlin', name), 'csv')
        expect(code).toBe('done')
        expect(shown).toContain(name)
      }
    }
  })

  it('opens nothing by the name of its coordinates or its schema', async () => {
    for (const name of paths()) {
      const placed = mapSources.gml.replaceAll('urn:ogc:def:crs:EPSG::4326', name)
      expect((await attacks.run('gml', placed, 'geojson')).code).toMatch(/^(done|input_damaged)$/)
      const described = mapSources.gml.replace(
        'xmlns:ogr',
        `xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://ogr.maptools.org/ ${name}" xmlns:ogr`,
      )
      expect(await attacks.run('gml', described, 'csv')).toMatchObject({ code: 'done' })
    }
  })

  it('opens nothing by the name of what is drawn', async () => {
    for (const name of paths()) {
      const overlay = `<GroundOverlay><name>x</name><Icon><href>${name}</href></Icon></GroundOverlay>`
      const style = `<Style><IconStyle><Icon><href>${name}</href></Icon></IconStyle></Style>`
      const map = mapSources.kml.replace('<Folder>', `${style}<Schema name="x" id="${name}"/>${overlay}<Folder>`)
      expect((await attacks.run('kml', map, 'geojson')).code).toMatch(/^(done|input_damaged)$/)
    }
  })
})

describe('a zipped map that is too much', { timeout: 120_000 }, () => {
  const zeros = (bytes: number) => ({ name: 'a.shp', content: Buffer.alloc(bytes) })

  it.each([
    ['far more than its size', zip([zeros(300 * 1024 ** 2), { name: 'a.shx', content: 'x' }])],
    ['a zip in a zip', zip([{ name: 'a.zip', content: zip([zeros(1000)]) }])],
    ['ten thousand files', zip(Array.from({ length: 10_000 }, (_, n) => ({ name: `${n}.shp`, content: 'x' })))],
    [
      'a description of another map',
      zip([
        {
          name: 'a.shp',
          content: `<OGRVRTDataSource><OGRVRTLayer name="a"><SrcDataSource>${canary}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>`,
        },
      ]),
    ],
    [
      'a character set that is a file',
      zip([zeros(100), { name: 'a.cpg', content: canary }, { name: 'a.prj', content: canary }]),
    ],
  ])('is refused: %s', async (_, content) => {
    expect((await attacks.run('shz', content, 'csv')).code).toMatch(/^(input_damaged|limit_exceeded)$/)
  })
})
