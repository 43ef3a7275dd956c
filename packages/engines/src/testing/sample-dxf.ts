/** Group codes with their values, as in an AutoCAD drawing. */
export type DxfGroups = readonly (readonly [code: number, value: string | number])[]

const section = (name: string, groups: DxfGroups): DxfGroups => [[0, 'SECTION'], [2, name], ...groups, [0, 'ENDSEC']]

/** The default content of a drawing: a line, a circle and a word. */
export const shapes: DxfGroups = [
  ...([
    [0, 'LINE'],
    [8, '0'],
    [10, 0],
    [20, 0],
    [11, 100],
    [21, 50],
  ] as const),
  ...([
    [0, 'CIRCLE'],
    [8, '0'],
    [10, 50],
    [20, 25],
    [40, 20],
  ] as const),
  ...([
    [0, 'TEXT'],
    [8, '0'],
    [10, 10],
    [20, 40],
    [40, 5],
    [1, 'Ground floor'],
  ] as const),
]

/** All groups of a drawing with these entities and these blocks to insert. */
function groupsOf(entities: DxfGroups, blocks: DxfGroups): DxfGroups {
  const parts = [section('HEADER', []), section('BLOCKS', blocks), section('ENTITIES', entities)]
  return [...parts.flat(), [0, 'EOF']]
}

/** A drawing as text. */
export function sampleDxf(entities: DxfGroups = shapes, blocks: DxfGroups = []): Buffer {
  const lines = groupsOf(entities, blocks).map(([code, value]) => `${String(code).padStart(3)}\n${value}\n`)
  return Buffer.from(lines.join(''))
}
