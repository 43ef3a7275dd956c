import { mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { failure } from '@lathe/domain'
import type { CallStep, Findings, Plan } from '@lathe/engines'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openSandbox, type TestSandbox } from '../../test/open-sandbox.ts'
import type { CallEnd } from '../instance.ts'
import { runPlan, type Workshop } from './run-plan.ts'

let open: TestSandbox
beforeAll(async () => {
  open = await openSandbox(64_108)
})
afterAll(() => open[Symbol.asyncDispose]())

const step: CallStep = {
  kind: 'call',
  runner: 'office',
  request: {},
  outputs: [],
  limits: { timeMs: 1000, memoryBytes: 1024, outputBytes: 1024 },
}
const outputs = [{ file: 'out-0.txt', format: 'txt', source: 0 }]

/** Runs a plan of one call, which the runner answers with this. */
async function run(answer: CallEnd, plan: Plan) {
  await using folder = await open.sandbox.createJobFolder()
  const runners = { call: async () => answer }
  const workshop: Workshop = { sandbox: open.sandbox, runners, takePermit: async () => ({ [Symbol.dispose]() {} }) }
  return await runPlan(workshop, { plan, folder, ownerId: 'a', signal: new AbortController().signal })
}

function planOf(call: CallStep, seen: Findings[] = []): Plan {
  const next = (found: Findings): Plan => {
    seen.push(found)
    return { kind: 'plan', steps: [], outputs, warnings: ['another way'] }
  }
  return { kind: 'plan', steps: [call], outputs: [], warnings: [], next }
}

describe('a call that fails', () => {
  it('fails its task if the plan has no alternative', async () => {
    expect(await run(failure('engine_timeout'), planOf(step))).toMatchObject({ code: 'engine_timeout' })
  })

  it('lets the plan continue differently if the step says so', async () => {
    const seen: Findings[] = []
    const tolerant: CallStep = { ...step, readFailure: () => ({ hasFailed: true, warning: 'it took too long' }) }
    const end = await run(failure('engine_timeout'), planOf(tolerant, seen))
    expect(end).toEqual({ outputs, warnings: ['it took too long', 'another way'] })
    expect(seen).toMatchObject([{ failed: [true], results: [{}] }])
  })

  it('is described by the step if that has its own text', async () => {
    const telling: CallStep = { ...step, readFailure: () => failure('limit_exceeded') }
    expect(await run(failure('engine_crashed'), planOf(telling))).toMatchObject({ code: 'limit_exceeded' })
  })

  it('leaves a response unchanged', async () => {
    const seen: Findings[] = []
    const tolerant: CallStep = { ...step, readFailure: () => ({ hasFailed: true }) }
    await run({ kind: 'done', result: { warnings: [], pages: 3 } }, planOf(tolerant, seen))
    expect(seen).toMatchObject([{ failed: [false], results: [{ pages: 3 }] }])
  })
})

describe('a plan that takes over a file', () => {
  it('finds it under its new name, and nothing else that was left', async () => {
    await using folder = await open.sandbox.createJobFolder()
    for (const name of ['in-0.doc', 'out-0.docx', 'out-0.md']) {
      await using file = await folder.createFile(name)
      await file.writeFile(name)
    }
    await mkdir(join(folder.path, 'made'))
    await symlink('/etc/hostname', join(folder.path, 'link'))
    const seen: Findings[] = []
    const plan = planOf(step, seen)
    const runners = { call: async (): Promise<CallEnd> => ({ kind: 'done', result: { warnings: [] } }) }
    const workshop: Workshop = { sandbox: open.sandbox, runners, takePermit: async () => ({ [Symbol.dispose]() {} }) }
    const takesOver = { file: 'out-0.docx', as: 'in-1.docx' }
    const signal = new AbortController().signal
    await runPlan(workshop, { plan: { ...plan, takesOver }, folder, ownerId: 'a', signal })
    expect(seen[0]?.sizes).toEqual({ 'in-1.docx': 'out-0.docx'.length })
    expect((await readdir(folder.path)).sort()).toEqual(['in-1.docx', 'made'])
  })
})
