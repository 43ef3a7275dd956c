import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, it } from 'vitest'
import { startApi } from '../testing/start-api.ts'

async function sendAndFallSilent(base: string, text: string): Promise<{ socket: Socket; openMs: number }> {
  const { port, hostname } = new URL(base)
  const start = performance.now()
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined).resume()
  socket.write(text)
  await once(socket, 'close')
  return { socket, openMs: performance.now() - start }
}

it('disconnects a client that goes silent in the middle of a body or an upload, and frees its slot', async () => {
  await using api = await startApi({ http: { idleMs: 700, uploadsAtOnce: 1 } })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await api.createKey()
  const json = `POST /v1/process/jobs HTTP/1.1\r\nHost: x\r\nAuthorization: ${headers.authorization}\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{`
  expect((await sendAndFallSilent(base, json)).openMs).toBeLessThan(8000)

  const created = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers })
  const path = new URL(created.json().result.form.url).pathname
  const upload = `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 5000\r\n\r\n--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc`
  expect((await sendAndFallSilent(base, upload)).openMs).toBeLessThan(8000)
  await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(0)
})

it('disconnects a client that sends a byte at a time, and not one above the minimum rate [B12]', async () => {
  await using api = await startApi({ http: { rateWindowMs: 500, minRate: 1024 } })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await api.createKey()
  const drip = async (bytes: string) => {
    const created = await api.app.inject({ method: 'POST', url: '/v1/process/import/upload', headers })
    const path = new URL(created.json().result.form.url).pathname
    const { port, hostname } = new URL(base)
    const socket = connect(Number(port), hostname).on('error', () => undefined)
    let isOpen = true
    socket.resume().once('close', () => (isOpen = false))
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 5000000\r\n\r\n--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    )
    for (let n = 0; n < 25 && isOpen; n++) {
      socket.write(bytes)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    socket.destroy()
    return isOpen
  }
  expect(await drip('x')).toBe(false)
  expect(await drip('x'.repeat(1000))).toBe(true)
  await expect.poll(async () => (await api.services.metrics.uploads.get()).values[0]?.value).toBe(0)
})

it('allows longer silence while a response is held', async () => {
  await using api = await startApi({ http: { idleMs: 500 } })
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const { headers } = await api.createKey()
  const response = await fetch(`${base}/v1/process/import/upload`, {
    method: 'POST',
    headers: { ...headers, prefer: 'wait=2' },
  })
  expect(response.status).toBe(201)
})

it('S3: keeps nothing of requests that were refused in the middle of a body', async () => {
  await using api = await startApi()
  const base = await api.app.listen({ port: 0, host: '127.0.0.1' })
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const head = 'Host: x\r\nContent-Type: multipart/form-data; boundary=B\r\nContent-Length: 5000000\r\n\r\n--B\r\n'
  const url = `/v1/uploads/${'0'.repeat(24)}/none`
  await Promise.all(Array.from({ length: 60 }, () => sendAndFallSilent(base, `POST ${url} HTTP/1.1\r\n${head}`)))
  await expect.poll(timers, { timeout: 10_000 }).toBeLessThan(before + 30)
})
