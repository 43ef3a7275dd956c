import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const module = new URL('./base-image.ts', import.meta.url).href
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-base-test-'))
  mkdirSync(join(folder, 'bin'))
  addProgram(
    'debootstrap',
    `mkdir -p "\${@: -2:1}"/{dev,etc/apt,etc/dpkg/dpkg.cfg.d,var/{cache,log,lib/apt/lists},usr/share/{doc,info,lintian,locale,man}}`,
  )
})
afterEach(() => rmSync(folder, { recursive: true }))

function addProgram(name: string, script: string): void {
  writeFileSync(join(folder, 'bin', name), `#!/bin/bash\n${script}\n`, { mode: 0o755 })
}

/** Whether a base image was imported, with an older one there or not. */
function imports(options: { readonly isThere: boolean; readonly isRefreshed: boolean }): boolean {
  const made = join(folder, 'made')
  rmSync(made, { force: true })
  addProgram('podman', `[ "$1" = import ] && tar --list >"${made}" || ${options.isThere}`)
  const code = `import { ensureBaseImage } from ${JSON.stringify(module)}
console.log(ensureBaseImage(0, ${options.isRefreshed}))`
  const env = {
    ...process.env,
    PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
    LATHE_DEBIAN_MIRROR: 'http://127.0.0.1:9/debian',
    LATHE_DEBIAN_SECURITY_MIRROR: 'http://127.0.0.1:9/debian-security',
  }
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', code], { env, encoding: 'utf8' })
  expect(said.trim()).toBe('localhost/lathe-base:trixie')
  return existsSync(made) && readFileSync(made, 'utf8').includes('./etc/apt/sources.list')
}

it('is made once, and again when it is to be refreshed', () => {
  expect(imports({ isThere: false, isRefreshed: false })).toBe(true)
  expect(imports({ isThere: true, isRefreshed: false })).toBe(false)
  expect(imports({ isThere: true, isRefreshed: true })).toBe(true)
})
