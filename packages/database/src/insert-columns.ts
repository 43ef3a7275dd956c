/** How a field of a new record is written: `hex` and `hexes` are hex in JSON and bytes in the table. */
export type ColumnType = 'text' | 'integer' | 'bigint' | 'boolean' | 'timestamptz' | 'jsonb' | 'hex' | 'hexes'

/** The parts of a statement that inserts records which arrive as JSON. */
export interface InsertColumns {
  /** The columns of the table: `id, job_id`. */
  readonly names: string
  /** What the JSON holds, for json_to_recordset: `id text, "jobId" text`. */
  readonly record: string
  /** The values for `names`, from a row of that record set. */
  readonly values: string
}

/** Derives an insert from one table of fields. A column is named like its field, in snake case. */
export function insertColumns(fields: Readonly<Record<string, ColumnType>>): InsertColumns {
  const columns = Object.entries(fields)
  return {
    names: columns.map(([field]) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(', '),
    record: columns.map(([field, type]) => `"${field}" ${jsonTypeOf(type)}`).join(', '),
    values: columns.map(([field, type]) => writtenOf(`"${field}"`, type)).join(', '),
  }
}

function jsonTypeOf(type: ColumnType): string {
  if (type === 'hex') return 'text'
  return type === 'hexes' ? 'json' : type
}

function writtenOf(field: string, type: ColumnType): string {
  if (type === 'hex') return `decode(${field}, 'hex')`
  if (type === 'hexes') return `array(select decode(one, 'hex') from json_array_elements_text(${field}) one)`
  return field
}
