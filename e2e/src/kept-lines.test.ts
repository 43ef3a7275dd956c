import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openKeptLines } from './kept-lines.ts'

interface Line {
  readonly name: string
  readonly failed?: true
}

const isDone = ({ failed }: Line) => failed === undefined

it('resumes after the last complete line, and retries what failed', async () => {
  await using own = new AsyncDisposableStack()
  const folder = own.adopt(await mkdtemp(join(tmpdir(), 'lathe-kept-')), (made) => rm(made, { recursive: true }))
  const path = join(folder, 'runs', 'results.jsonl')
  const first = await openKeptLines<Line>(path, { isResumed: true, isDone })
  expect(first.before).toEqual([])
  for (const line of [{ name: 'a' }, { name: 'b', failed: true } as const, { name: 'c' }]) await first.add(line)
  await appendFile(path, '{"name": "d')
  const second = await openKeptLines<Line>(path, { isResumed: true, isDone })
  expect(second.before).toEqual([{ name: 'a' }, { name: 'c' }])
  await second.add({ name: 'b' })
  expect(await readFile(path, 'utf8')).toBe('{"name":"a"}\n{"name":"c"}\n{"name":"b"}\n')
  expect((await openKeptLines<Line>(path, { isResumed: false, isDone })).before).toEqual([])
})
