import type { Task } from '@lathe/contract'
import { describe, expect, it } from 'vitest'
import { layOutGraph } from './lay-out-graph.ts'

const task = (id: string, ...dependsOn: string[]) => ({ id, dependsOn }) as unknown as Task

describe('the graph of a job', () => {
  it('puts every task after all it waits for, and short columns in the middle', () => {
    const { nodes, columns, rows } = layOutGraph([task('a'), task('b', 'a'), task('c', 'a'), task('d', 'b', 'c', 'a')])
    const places = Object.fromEntries(nodes.map(({ task: { id }, column, row }) => [id, [column, row]]))
    expect(places).toEqual({ a: [0, 0.5], b: [1, 0], c: [1, 1], d: [2, 0.5] })
    expect([columns, rows]).toEqual([3, 2])
  })

  it('keeps pairs next to each other, in any order of input', () => {
    const { nodes } = layOutGraph([task('a'), task('b'), task('y', 'b'), task('x', 'a')])
    const row = (id: string) => nodes.find((node) => node.task.id === id)?.row
    expect([row('x'), row('y')]).toEqual([row('a'), row('b')])
  })

  it('draws no line to a task of elsewhere, and knows no job without tasks', () => {
    expect(layOutGraph([task('a', 'gone')]).edges).toEqual([])
    expect(layOutGraph([])).toEqual({ nodes: [], edges: [], columns: 0, rows: 0 })
  })

  it('ends on tasks that wait for each other', () => {
    expect(layOutGraph([task('a', 'b'), task('b', 'a')]).nodes).toHaveLength(2)
  })
})
