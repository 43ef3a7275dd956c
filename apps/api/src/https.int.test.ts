import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { get } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '@lathe/runtime'
import { makeCertificate } from '@lathe/testing'
import { describe, expect, it } from 'vitest'
import { startApi } from './testing/start-api.ts'

describe('plain HTTP', () => {
  it('is refused with 403 https_required, before anything else is looked at [S-auth-03, D-http-01, D-http-50]', async () => {
    await using api = await startApi({ http: { allowHttp: false } })
    for (const url of ['/v1/query/formats', '/v1/process/tasks', '/v1/nothing']) {
      const response = await api.app.inject({ url, headers: { accept: 'text/html' } })
      expect(response.json(), url).toMatchObject({ status: 403, errorCode: 'https_required' })
    }
  })

  it('is refused although an untrusted client sends X-Forwarded-Proto [D-http-49]', async () => {
    await using api = await startApi({ http: { allowHttp: false, trustedProxies: ['10.0.0.0/8'] } })
    const headers = { 'x-forwarded-proto': 'https' }
    expect((await api.app.inject({ url: '/v1/query/formats', headers, remoteAddress: '192.0.2.1' })).statusCode).toBe(
      403,
    )
    expect((await api.app.inject({ url: '/v1/query/formats', headers, remoteAddress: '10.1.2.3' })).statusCode).toBe(
      200,
    )
    const plain = { 'x-forwarded-proto': 'http' }
    expect(
      (await api.app.inject({ url: '/v1/query/formats', headers: plain, remoteAddress: '10.1.2.3' })).statusCode,
    ).toBe(403)
  })

  it('is refused with any X-Forwarded-Proto if no proxy is configured [D-http-49]', async () => {
    await using api = await startApi({ http: { allowHttp: false } })
    const response = await api.app.inject({ url: '/v1/query/formats', headers: { 'x-forwarded-proto': 'https' } })
    expect(response.statusCode).toBe(403)
  })

  it('is allowed for probes, which come from inside', async () => {
    await using api = await startApi({ http: { allowHttp: false } })
    expect((await api.app.inject('/healthz')).statusCode).toBe(200)
    expect((await api.app.inject('/readyz')).statusCode).toBe(200)
  })

  it('is answered with LATHE_ALLOW_HTTP, which is logged as a warning [D-http-51]', async () => {
    const lines: string[] = []
    const log = createLog({ level: 'warn', name: 'api', destination: { write: (line) => void lines.push(line) } })
    await using api = await startApi({ replace: () => ({ log }) })
    expect((await api.app.inject('/v1/query/formats')).statusCode).toBe(200)
    expect(lines.join()).toContain('LATHE_ALLOW_HTTP is set')
  })
})

describe('TLS', () => {
  it('uses the configured certificate, and plain HTTP to its port fails [S-auth-03, D-http-48]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lathe-tls-'))
    const { cert, key } = await makeCertificate(folder)
    {
      await using api = await startApi({
        env: { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, LATHE_ALLOW_HTTP: '' },
      })
      const url = await api.app.listen({ port: 0, host: '127.0.0.1' })
      expect(url).toMatch(/^https:/)
      const ca = await readFile(cert)
      const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
        get(`${url}/v1/query/formats`, { ca, agent: false }, resolve).on('error', reject)
      })
      response.resume()
      expect(response.statusCode).toBe(200)
      expect(response.headers['strict-transport-security']).toContain('max-age')
      await expect(fetch(`${url.replace('https', 'http')}/v1/query/formats`)).rejects.toThrow()
    }
    await rm(folder, { recursive: true })
  })
})
