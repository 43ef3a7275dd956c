import type { FormatRow } from './format.ts'

/** Data, calendars, contacts and maps in text formats. */
export const dataRows: readonly FormatRow[] = [
  ['jsonl', 'application/jsonl', 'JSON Lines data', 'ndjson'],
  ['yaml', 'application/yaml', 'YAML data', 'yml'],
  ['toml', 'application/toml', 'TOML data'],
  ['ics', 'text/calendar', 'iCalendar file', 'ical'],
  ['vcf', 'text/vcard', 'vCard contact file', 'vcard'],
  ['geojson', 'application/geo+json', 'GeoJSON map'],
  ['kml', 'application/vnd.google-earth.kml+xml', 'KML map'],
  ['gpx', 'application/gpx+xml', 'GPX tracks'],
  ['gml', 'application/gml+xml', 'GML map'],
]

/** Tables and maps in binary formats. A shapefile consists of several files, so it is sent as a zip. */
export const binaryDataRows: readonly FormatRow[] = [
  ['parquet', 'application/vnd.apache.parquet', 'Parquet table', 'pq'],
  ['gpkg', 'application/geopackage+sqlite3', 'GeoPackage map'],
  ['fgb', 'application/vnd.flatgeobuf', 'FlatGeobuf map'],
  ['shz', 'application/x-shapefile+zip', 'zipped shapefile', 'shp'],
]
