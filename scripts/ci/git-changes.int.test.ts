import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChanged } from './git-changes.ts'

const folder = mkdtempSync(join(tmpdir(), 'lathe-changes-'))
const name = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', '-c', 'commit.gpgsign=false']
const git = (...args: string[]) => execFileSync('git', [...name, ...args], { cwd: folder, stdio: 'pipe' })
const write = (file: string, text = file) => writeFileSync(join(folder, file), text)
const commit = (...files: string[]) => {
  for (const file of files) write(file)
  git('add', '.')
  git('commit', '-qm', files.join(' '))
}

beforeAll(() => {
  git('init', '-q', '-b', 'main')
  commit('old', 'moved')
  git('checkout', '-qb', 'own')
  commit('committed')
  git('mv', 'moved', 'moved-to')
  git('commit', '-qm', 'move')
  git('checkout', '-q', 'main')
  commit('of others')
  git('checkout', '-q', 'own')
  write('old', 'changed')
  write('new ü')
})
afterAll(() => rmSync(folder, { recursive: true }))

it('finds what was committed, changed, added and moved since the branch left its base, and nothing of others', () => {
  expect(findChanged(folder, 'main')).toEqual(['committed', 'moved', 'moved-to', 'new ü', 'old'])
})

it('a base that the clone does not have is an error that says what to do', () => {
  expect(() => findChanged(folder, 'origin/gone')).toThrow('CI_BASE=origin/gone is no commit')
})
