import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from './run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'lathe-command-'))
const output = join(folder, 'output')
afterAll(() => rmSync(folder, { recursive: true }))

const run = (command: readonly string[], more = {}) =>
  runCommand({ command, cwd: folder, output, limitS: 60, isPatient: false, ...more })

it('keeps what a command prints, and its exit code', async () => {
  const end = await run(['sh', '-c', 'echo out; echo err >&2; exit 3'])
  expect(end).toMatchObject({ exitCode: 3, isTooSlow: false })
  expect(readFileSync(output, 'utf8')).toBe('out\nerr\n')
})

it('runs a patient command at a low priority, of the disk too', async () => {
  const own = Number(readNice(await say(['cat', '/proc/self/stat'], false)))
  expect(Number(readNice(await say(['cat', '/proc/self/stat'], true)))).toBe(Math.min(19, own + 10))
  expect(await say(['ionice'], true)).toBe('idle\n')
})

it('ends a command that takes too long, with all that it started', async () => {
  const end = await run(['sh', '-c', 'sleep 1000 & echo $!; wait'], { limitS: 0.5 })
  expect(end.isTooSlow).toBe(true)
  expect(end.exitCode).not.toBe(0)
  const below = Number(readFileSync(output, 'utf8'))
  await expect.poll(() => isAlive(below)).toBe(false)
})

it('a program that is not there is a failure', async () => {
  expect((await run(['lathe-no-such-program'])).exitCode).toBe(127)
})

async function say(command: readonly string[], isPatient: boolean): Promise<string> {
  await run(command, { isPatient })
  return readFileSync(output, 'utf8')
}

function readNice(stat: string): string | undefined {
  return stat.split(') ')[1]?.split(' ')[16]
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] !== 'Z'
  } catch {
    return false
  }
}
