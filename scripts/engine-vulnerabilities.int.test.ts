import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const script = new URL('./engine-vulnerabilities.ts', import.meta.url).pathname
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-vulnerabilities-'))
  mkdirSync(join(folder, 'root'))
  mkdirSync(join(folder, 'bin'))
  // Keeps what it was given, and finds one vulnerability.
  const debsecan = `#!/bin/bash
printf '%s ' "$@" >"${folder}/arguments"
while [ "$1" != --status ]; do shift; done
cp "$2" "${folder}/status" && echo 'CVE-2026-0001 libheif1 (fixed, remotely exploitable, high urgency)'
`
  writeFileSync(join(folder, 'bin/debsecan'), debsecan, { mode: 0o755 })
})
afterEach(() => rmSync(folder, { recursive: true }))

const manifest = {
  name: 'media-1-2',
  suite: 'trixie',
  architecture: 'amd64',
  packages: { libheif1: '1.19.8-1+b1', ffmpeg: '7:7.1.1-1' },
}
const sources = { libheif1: { name: 'libheif', version: '1.19.8-1' }, ffmpeg: { name: 'ffmpeg', version: '7:7.1.1-1' } }

function check(said: object, ...args: readonly string[]) {
  writeFileSync(join(folder, 'root/manifest.json'), JSON.stringify(said))
  const env = { ...process.env, PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}` }
  const all = [script, '--root', join(folder, 'root'), ...args]
  return spawnSync(process.execPath, all, { env, encoding: 'utf8' })
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('S6: the known vulnerabilities of an engine root in an image, which has no list of dpkg', () => {
  it('are those of its manifest, by source package, in a file of your choice', () => {
    const report = join(folder, 'report.json')
    expect(check({ ...manifest, sources }, '--report', report)).toMatchObject({ status: 0 })
    expect(read('arguments')).toContain('--suite trixie')
    expect(read('status')).toContain(`Package: libheif1
Status: install ok installed
Architecture: amd64
Source: libheif (1.19.8-1)
Version: 1.19.8-1+b1

Package: ffmpeg
`)
    const written = JSON.parse(read('report.json'))
    expect(written).toMatchObject({ root: 'media-1-2', checkedAt: expect.any(String) })
    expect(written.counts).toContainEqual({ urgency: 'high', fix: 'available', count: 1 })
    expect(existsSync(join(folder, 'root.vulnerabilities.json'))).toBe(false)
  })

  it('are not looked for where the sources are unknown: too few would be found', () => {
    const { status, stderr } = check(manifest)
    expect(status).toBe(1)
    expect(stderr).toContain('no source of libheif1')
    expect(existsSync(join(folder, 'status'))).toBe(false)
  })
})

it('S6: the known vulnerabilities of an engine root are those of its own list, next to the root', () => {
  mkdirSync(join(folder, 'root/var/lib/dpkg'), { recursive: true })
  writeFileSync(join(folder, 'root/var/lib/dpkg/status'), 'Package: own\n')
  expect(check(manifest)).toMatchObject({ status: 0 })
  expect(read('status')).toBe('Package: own\n')
  expect(JSON.parse(read('root.vulnerabilities.json')).counts).toHaveLength(8)
})
