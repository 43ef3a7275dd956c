import { afterAll, beforeAll, expect, it } from 'vitest'
import { officeProcesses } from '../../test/office-processes.ts'
import { openSandbox, type TestSandbox } from '../../test/open-sandbox.ts'
import { openRunners } from './open-runners.ts'

let open: TestSandbox
beforeAll(async () => {
  open = await openSandbox(64_110, { processes: 256, tmpBytes: 1024 ** 3 })
})
afterAll(() => open[Symbol.asyncDispose]())

it('starts the runners of served families in advance, and others with their first call', async () => {
  const served: string[] = []
  const config = { engineTasks: 1, warmCalls: 10, families: ['image'] as const }
  {
    await using runners = await openRunners(open.sandbox, {
      ...config,
      onServe: (name, how) => void served.push(`${name}: ${how}`),
    })
    expect(await officeProcesses()).toEqual([])
    for (const name of ['vips', 'office', 'office']) {
      await using folder = await open.sandbox.createJobFolder()
      const limits = { timeMs: 60_000, memoryBytes: 1024 ** 3, outputBytes: 1024 ** 2 }
      await runners.call(name, 'a', {}, { folder, limits, signal: AbortSignal.timeout(60_000) })
    }
    expect(served.slice(0, 2)).toEqual(['vips: spare', 'office: spare'])
    expect(served).toHaveLength(3)
    expect(await officeProcesses()).not.toEqual([])
    await expect(runners.call('nothing', 'a', {}, {} as never)).rejects.toThrow('nothing')
  }
  expect(await officeProcesses()).toEqual([])
  expect(await open.files()).toEqual([])
}, 120_000)
