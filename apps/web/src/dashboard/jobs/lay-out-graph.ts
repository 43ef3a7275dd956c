import type { Task } from '@lathe/contract'

/** A task and its position: the column by the longest chain of tasks before it, the row by the rows of those tasks. */
export interface GraphNode {
  readonly task: Task
  readonly column: number
  /** May be a half row: short columns are centered. */
  readonly row: number
}

export interface Graph {
  readonly nodes: readonly GraphNode[]
  readonly edges: readonly { readonly from: GraphNode; readonly to: GraphNode }[]
  readonly columns: number
  readonly rows: number
}

/** Lays out tasks from left to right, in order of dependency. */
export function layOutGraph(tasks: readonly Task[]): Graph {
  const columnOf = findColumns(tasks)
  const columns = Map.groupBy(tasks, ({ id }) => columnOf.get(id) ?? 0)
  const rows = Math.max(0, ...[...columns.values()].map((column) => column.length))
  const nodes = new Map<string, GraphNode>()
  const inOrder = [...columns].toSorted(([a], [b]) => a - b)
  for (const [column, [, members]] of inOrder.entries()) {
    const wished = new Map(members.map((task) => [task.id, meanRow(task, nodes)]))
    const sorted = members.toSorted((a, b) => (wished.get(a.id) ?? 0) - (wished.get(b.id) ?? 0))
    const above = (rows - members.length) / 2
    for (const [n, task] of sorted.entries()) nodes.set(task.id, { task, column, row: above + n })
  }
  const edges = [...nodes.values()].flatMap((to) =>
    to.task.dependsOn.flatMap((id) => {
      const from = nodes.get(id)
      return from ? [{ from, to }] : []
    }),
  )
  return { nodes: [...nodes.values()], edges, columns: columns.size, rows }
}

function findColumns(tasks: readonly Task[]): ReadonlyMap<string, number> {
  const byId = new Map(tasks.map((task) => [task.id, task]))
  const found = new Map<string, number>()
  const find = (task: Task): number => {
    const known = found.get(task.id)
    if (known !== undefined) return known
    // The service allows no cycles; if there is one, this ends the recursion.
    found.set(task.id, 0)
    const before = task.dependsOn.flatMap((id) => byId.get(id) ?? [])
    const column = before.length === 0 ? 0 : 1 + Math.max(...before.map(find))
    found.set(task.id, column)
    return column
  }
  for (const task of tasks) find(task)
  return found
}

function meanRow({ dependsOn }: Task, placed: ReadonlyMap<string, GraphNode>): number {
  const rows = dependsOn.flatMap((id) => placed.get(id)?.row ?? [])
  return rows.length === 0 ? 0 : rows.reduce((sum, row) => sum + row, 0) / rows.length
}
