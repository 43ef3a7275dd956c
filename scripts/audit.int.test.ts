import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { access, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const checkout = new URL('..', import.meta.url).pathname
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lathe-npm-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(program: string, args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const settings = { npm_config_cache: join(cwd, 'cache'), npm_config_fetch_retries: '0', ...env }
  return new Promise<{ code: number; said: string }>((resolve) => {
    execFile(program, [...args], { cwd, env: { ...process.env, ...settings } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, said: `${stdout}${stderr}` })
    })
  })
}

const packument = {
  name: 'left',
  'dist-tags': { latest: '1.0.0' },
  versions: { '1.0.0': { name: 'left', version: '1.0.0', dist: { tarball: 'http://127.0.0.1/left.tgz' } } },
}

/** What the audit says of a project with one dependency, at a registry on loopback that answers so. */
async function audit(status: number, answer: object) {
  const server = createServer(({ method }, response) => {
    const [code, body] = method === 'GET' ? [200, packument] : [status, answer]
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const project = await mkdtemp(join(folder, 'project-'))
  const left = { version: '1.0.0', integrity: 'sha512-YQ==' }
  const root = { name: 'project', version: '1.0.0', dependencies: { left: '1.0.0' } }
  await writeFile(join(project, 'package.json'), JSON.stringify(root))
  const lock = { name: 'project', lockfileVersion: 3, packages: { '': root, 'node_modules/left': left } }
  await writeFile(join(project, 'package-lock.json'), JSON.stringify(lock))
  const registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const env = { AUDIT_DIR: project, npm_config_registry: registry }
  const ended = await run(process.execPath, [join(checkout, 'scripts/audit.ts')], project, env)
  server.closeAllConnections()
  server.close()
  return ended
}

const advisory = (severity: string) => ({
  left: [
    { id: 1, url: 'https://example.org/1', title: 'Reads any file', severity, vulnerable_versions: '<2', cwe: [] },
  ],
})

describe('S17: the audit', { timeout: 60_000 }, () => {
  it('fails on what the registry knows to be grave', async () => {
    const { code, said } = await audit(200, advisory('high'))
    expect(said).toContain('FAILED left: high: Reads any file')
    expect(said.trim().split('\n').at(-1)).toBe('0 passed, 1 failed')
    expect(code).toBe(1)
  })

  it('passes where there is nothing grave', async () => {
    expect(await audit(200, advisory('low'))).toMatchObject({ code: 0, said: '1 passed, 0 failed\n' })
  })

  it('says so where the registry has no such endpoint, and fails where it is down', async () => {
    const missing = await audit(405, {})
    expect(missing).toEqual({ code: 0, said: expect.stringContaining('LEFT OUT: the registry has no audit endpoint') })
    expect((await audit(500, {})).code).toBe(1)
  })
})

describe('S17: npm', { timeout: 60_000 }, () => {
  it('runs no script of a package that it installs, by our settings', async () => {
    const marker = join(folder, 'ran')
    const install = async (name: string, withSettings: boolean) => {
      const project = join(folder, name)
      await mkdir(join(project, 'evil'), { recursive: true })
      const scripts = { preinstall: `touch ${marker}`, install: `touch ${marker}`, postinstall: `touch ${marker}` }
      await writeFile(join(project, 'evil/package.json'), JSON.stringify({ name: 'evil', version: '1.0.0', scripts }))
      await writeFile(
        join(project, 'package.json'),
        JSON.stringify({ name, dependencies: { evil: 'file:./evil' }, allowScripts: { evil: true } }),
      )
      if (withSettings) await copyFile(join(checkout, '.npmrc'), join(project, '.npmrc'))
      const { code, said } = await run('npm', ['install', '--offline', '--no-audit', '--install-links'], project)
      expect(code, said).toBe(0)
      return access(marker).then(
        () => 'ran',
        () => 'did not run',
      )
    }
    expect(await install('ours', true)).toBe('did not run')
    expect(await install('another', false)).toBe('ran')
  })
})
