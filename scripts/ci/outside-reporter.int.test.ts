import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { judgeVitest } from './judge-suite.ts'
import { runCommand } from './run-command.ts'

// Inside the checkout, where `vitest` can be imported.
const own = fileURLToPath(new URL('../../.lathe/', import.meta.url))
mkdirSync(own, { recursive: true })
const folder = mkdtempSync(join(own, 'outside-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('an error that no test catches fails a run of Vitest in which all tests passed, and is named', async () => {
  const report = join(folder, 'report.json')
  const outside = join(folder, 'outside.json')
  const reporter = fileURLToPath(new URL('outside-reporter.ts', import.meta.url))
  writeFileSync(
    join(folder, 'vitest.config.ts'),
    `import { OutsideReporter } from '${reporter}'
     export default { test: {
       include: ['*.case.ts'],
       reporters: [['json', { outputFile: '${report}' }], new OutsideReporter('${outside}')],
     } }`,
  )
  writeFileSync(
    join(folder, 'lost.case.ts'),
    `import { it } from 'vitest'
     it('leaves a promise behind', async () => {
       void Promise.reject(new Error('nobody waits for it'))
       await new Promise((resolve) => setTimeout(resolve, 50))
     })`,
  )
  const command = ['vitest', 'run', '--root', folder]
  const { exitCode } = await runCommand({
    ...{ command, cwd: folder, output: join(folder, 'output'), limitS: 60, isPatient: false },
  })
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
  const verdict = judgeVitest('int', { report: read(report), exitCode, outside: read(outside) })
  expect(verdict).toMatchObject({ passed: 1, failed: 1 })
  expect(verdict.failures).toEqual([
    expect.stringMatching(/^int: OUTSIDE OF TESTS: Error: nobody waits for it .*lost\.case\.ts:3/),
  ])
})
