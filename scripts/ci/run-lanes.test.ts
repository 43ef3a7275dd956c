import { expect, it } from 'vitest'
import { runLanes } from './run-lanes.ts'
import type { Suite } from './suite.ts'

const suite = (name: string, isPatient: boolean, needsRoot: boolean): Suite => ({
  ...{ name, isPatient, needsRoot, limitS: 1 },
  command: { program: [name] },
})
const engines = suite('engines', true, true)
const unit = suite('unit', true, false)
const web = suite('web', false, true)
const e2e = suite('e2e', false, true)
const int = suite('int', false, false)

/** Lanes whose suites end when the test says so. */
function startLanes(suites: readonly Suite[]) {
  const running = new Map<string, () => void>()
  const order: string[] = []
  const root = Promise.withResolvers<void>()
  const done = runLanes(suites, {
    waiting: 2,
    root: root.promise,
    run: ({ name }) => {
      order.push(name)
      return new Promise((resolve) => running.set(name, resolve))
    },
  })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  const end = async (name: string) => {
    running.get(name)?.()
    running.delete(name)
    await settle()
  }
  const placeRoot = async () => {
    root.resolve()
    await settle()
  }
  return { order, running, end, settle, done, placeRoot }
}

it('runs one suite that computes next to two that wait, each kind in its order', async () => {
  const lanes = startLanes([engines, unit, web, e2e, int])
  await lanes.placeRoot()
  for (const name of ['int', 'unit']) await lanes.end(name)
  expect([...lanes.running.keys()].sort()).toEqual(['e2e', 'engines', 'web'])
  for (const name of ['e2e', 'engines', 'web']) await lanes.end(name)
  await lanes.done
})

it('begins with what needs no engine root, and with the rest when the root is there', async () => {
  const lanes = startLanes([engines, unit, web, int])
  await lanes.settle()
  expect([...lanes.running.keys()].sort()).toEqual(['int', 'unit'])
  await lanes.end('unit')
  expect([...lanes.running.keys()]).toEqual(['int'])
  await lanes.placeRoot()
  expect([...lanes.running.keys()].sort()).toEqual(['engines', 'int', 'web'])
  for (const name of ['engines', 'int', 'web']) await lanes.end(name)
  await lanes.done
  expect(lanes.order).toHaveLength(4)
})

it('fails if the root cannot be built and something needs it', async () => {
  const root = Promise.reject(new Error('no root'))
  await expect(runLanes([engines], { waiting: 1, root, run: async () => {} })).rejects.toThrow('no root')
})
