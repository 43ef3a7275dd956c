/** A task and the tasks it waits for. Names may be task names or ids. */
export interface GraphNode {
  readonly name: string
  readonly inputs: readonly string[]
}

/** The names of tasks that wait for each other in a cycle, in order, or undefined if there is no cycle. */
export function findCycle(nodes: readonly GraphNode[]): readonly string[] | undefined {
  const inputsOf = new Map(nodes.map((node) => [node.name, node.inputs]))
  const state = new Map<string, 'open' | 'done'>()
  for (const { name } of nodes) {
    const cycle = walk(name, [], inputsOf, state)
    if (cycle) return cycle
  }
  return undefined
}

/** The number of nodes in the longest chain. Only for graphs without a cycle. */
export function longestChain(nodes: readonly GraphNode[]): number {
  const inputsOf = new Map(nodes.map((node) => [node.name, node.inputs]))
  const known = new Map<string, number>()
  const depthOf = (name: string): number => {
    const before = known.get(name) ?? 1 + Math.max(0, ...(inputsOf.get(name) ?? []).map(depthOf))
    known.set(name, before)
    return before
  }
  return Math.max(0, ...nodes.map(({ name }) => depthOf(name)))
}

function walk(
  name: string,
  path: readonly string[],
  inputsOf: ReadonlyMap<string, readonly string[]>,
  state: Map<string, 'open' | 'done'>,
): readonly string[] | undefined {
  if (state.get(name) === 'done') return undefined
  if (state.get(name) === 'open') return [...path.slice(path.indexOf(name)), name]
  state.set(name, 'open')
  for (const input of inputsOf.get(name) ?? []) {
    const cycle = walk(input, [...path, name], inputsOf, state)
    if (cycle) return cycle
  }
  state.set(name, 'done')
  return undefined
}
