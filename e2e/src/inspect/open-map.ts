import type { PlanBench } from '@lathe/testing'
import { type Facts, type Given, refuse } from './facts.ts'
import { runTool } from './run-tool.ts'

/** The GDAL drivers that open maps, and the file extensions they need. */
const drivers: Readonly<Record<string, readonly [driver: string, ending: string]>> = {
  geojson: ['GeoJSON', 'geojson'],
  kml: ['KML', 'kml'],
  gpx: ['GPX', 'gpx'],
  gml: ['GML', 'gml'],
  gpkg: ['GPKG', 'gpkg'],
  fgb: ['FlatGeobuf', 'fgb'],
  shz: ['ESRI Shapefile', 'shz'],
}

export function isMap(format: string): boolean {
  return drivers[format] !== undefined
}

/** Opens a map with the GDAL command that the engine does not use; it must contain features. */
export async function openMap(bench: PlanBench, given: Given): Promise<Facts> {
  const [driver = '', ending = ''] = drivers[given.format] ?? []
  const { stdout } = await runTool(bench, 'ogrinfo', ['-ro', '-al', '-so', '-if', driver, `in.${ending}`], { given })
  const counts = [...stdout.matchAll(/^Feature Count: (\d+)$/gm)].map(([, count]) => Number(count))
  if (!counts.some((count) => count > 0)) refuse(given.format, 'it holds no features')
  return { format: given.format }
}
