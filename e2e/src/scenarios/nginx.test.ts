import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findFreePort, makeCertificate, type Stack, startServer, startStack } from '@lathe/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fixturePath } from '../../../fixtures/fixtures.ts'
import { runProgram } from '../run-program.ts'
import { readSnippets } from '../snippets.ts'

const program = fileURLToPath(new URL('./nginx-program.mjs', import.meta.url))

let folder: string
let stack: Stack
let url: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lathe-nginx-'))
  url = `https://127.0.0.1:${await findFreePort()}`
  const env = { LATHE_ALLOW_HTTP: '0', LATHE_TRUSTED_PROXIES: '127.0.0.1', LATHE_PUBLIC_URL: url }
  stack = await startStack({ storage: 'disk', schedulers: 0, appEnv: { api: env } })
})
afterAll(async () => {
  await stack[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

it('programs reach the service through nginx as docs/operations.md sets it up', async () => {
  const { cert } = await makeCertificate(folder)

  const [shown] = readSnippets('docs/operations.md').filter(({ language }) => language === 'nginx')
  const changes = [
    ['listen 443 ssl', `listen ${new URL(url).host} ssl`],
    ['/etc/letsencrypt/live/files.example.org', folder],
    ['127.0.0.1:8080', new URL(stack.url).host],
  ] as const
  let site = shown?.code ?? ''
  for (const [from, to] of changes) {
    expect(site).toContain(from)
    site = site.replaceAll(from, to)
  }
  const config = join(folder, 'nginx.conf')
  const files = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((one) => `${one}_temp_path ${folder}/${one};`)
  const http = ['access_log off;', ...files, site].join('\n')
  writeFileSync(config, `daemon off; pid ${folder}/pid; error_log stderr notice; events {} http {\n${http}\n}\n`)
  const nginx = await startServer({
    name: 'nginx',
    command: ['/usr/sbin/nginx', '-e', 'stderr', '-p', folder, '-c', config],
    env: {},
    logFile: join(folder, 'log'),
    isReady: (written) => written.includes('start worker processes'),
  })
  try {
    const { key: apiKey } = await stack.createKey()
    const env = { LATHE_URL: url, LATHE_KEY: apiKey, NODE_EXTRA_CA_CERTS: cert, CA: readFileSync(cert, 'utf8') }
    const { code, output } = await runProgram('node', [program, fixturePath('photo-100k.jpg')], { cwd: folder, env })
    expect(code, `${output}\n${nginx.tail()}`).toBe(0)
    expect(JSON.parse(output)).toEqual({
      head: 'WEBP',
      firstEvent: 'job.created',
      transport: 'websocket',
      isComplete: true,
      links: true,
      metrics: 404,
      hsts: true,
    })
  } finally {
    await nginx.stop('SIGTERM')
  }
})
