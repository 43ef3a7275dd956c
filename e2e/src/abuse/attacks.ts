import type { Socket } from 'node:net'
import { formatKey } from '@lathe/accounts'
import type { UploadForm } from '@lathe/contract'
import { createChance } from '../chance.ts'
import { keepOpen, type RawAttacker, whileOpen } from './raw-connection.ts'

/** What an attack uses: all of it belongs to the hostile tenant. */
export interface Weapons {
  readonly url: string
  readonly key: string
  /** A download link of a large file. */
  readonly link: string
  readonly forms: readonly UploadForm[]
  /** A task that does not end. */
  readonly taskId: string
  readonly seed: number
}

type Begin = (attacker: RawAttacker, weapons: Weapons, count: number) => void

export interface Attack {
  readonly name: string
  /** Connections in a full and in a quick run. */
  readonly counts: readonly [full: number, quick: number]
  readonly begin: Begin
}

/** All abuses of the service, each a table row of the report. */
export const attacks: readonly Attack[] = [
  { name: 'slow readers of one link', counts: [500, 150], begin: readSlowly },
  { name: 'slow senders to forms', counts: [500, 150], begin: sendSlowly },
  { name: 'one form used in parallel', counts: [100, 40], begin: shareForm },
  { name: 'idle sockets', counts: [2000, 500], begin: stayIdle },
  { name: 'event listeners without a key', counts: [300, 100], begin: listenWithoutKey },
  { name: 'forged API keys', counts: [25, 10], begin: forgeKeys },
  { name: 'long-polling waiters', counts: [300, 150], begin: waitLong },
]

function request(target: string, headers: readonly string[], method = 'GET'): string {
  const { pathname, search, host } = new URL(target)
  return [`${method} ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...headers, '', ''].join('\r\n')
}

/** Reads 64 KiB and then nothing for ten seconds. */
function readSlowly(attacker: RawAttacker, { link }: Weapons, count: number): void {
  repeat(count, () =>
    keepOpen(attacker, (socket) => {
      socket.write(request(link, []))
      socket.on('data', () => socket.pause())
      whileOpen(socket, 10_000, () => socket.resume())
    }),
  )
}

function startUpload(socket: Socket, form: UploadForm, length: number): void {
  const headers = ['Content-Type: multipart/form-data; boundary=B', `Content-Length: ${length}`]
  socket.write(request(form.url, headers, 'POST'))
  socket.write(`--B\r\nContent-Disposition: form-data; name="signature"\r\n\r\n${form.parameters.signature ?? ''}\r\n`)
  socket.write('--B\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n')
}

/** Announces a large file and sends half a kilobyte per second. */
function sendSlowly(attacker: RawAttacker, { forms }: Weapons, count: number): void {
  repeat(count, (n) =>
    keepOpen(attacker, (socket) => {
      const form = forms[n % forms.length]
      if (!form) return
      startUpload(socket, form, 1_000_000_000)
      whileOpen(socket, 1000, () => socket.write(Buffer.alloc(512, 120)))
    }),
  )
}

/** Sends to the same form over many connections, each as slow as some mobile phones. */
function shareForm(attacker: RawAttacker, { forms }: Weapons, count: number): void {
  const [form] = forms
  if (!form) throw new Error('there is no form')
  repeat(count, () =>
    keepOpen(attacker, (socket) => {
      startUpload(socket, form, 1_000_000_000)
      whileOpen(socket, 200, () => socket.write(Buffer.alloc(8192, 120)))
    }),
  )
}

function stayIdle(attacker: RawAttacker, _: Weapons, count: number): void {
  repeat(count, () => keepOpen(attacker, () => undefined))
}

/** Opens Socket.IO sessions and event streams without ever sending a key. */
function listenWithoutKey(attacker: RawAttacker, { url, taskId }: Weapons, count: number): void {
  const upgrade = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13']
  repeat(count, (n) =>
    keepOpen(attacker, (socket) => {
      if (n % 3 === 0) socket.write(request(`${url}/v1/process/tasks/${taskId}/events`, ['Accept: text/event-stream']))
      else if (n % 3 === 1) socket.write(request(`${url}/socket.io/?EIO=4&transport=polling`, []))
      else {
        const nonce = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='
        socket.write(request(`${url}/socket.io/?EIO=4&transport=websocket`, [...upgrade, nonce]))
      }
    }),
  )
}

/** Ten requests per second and connection, each with another key with a valid checksum. */
function forgeKeys(attacker: RawAttacker, { url, seed }: Weapons, count: number): void {
  const chance = createChance(seed)
  const draw = (below: number) => chance.between(0, below - 1)
  repeat(count, () =>
    keepOpen(attacker, (socket) => {
      whileOpen(socket, 100, () =>
        socket.write(request(`${url}/v1/process/tasks`, [`Authorization: Bearer ${formatKey(draw)}`])),
      )
    }),
  )
}

/** Waits for a task that does not end, and asks again after each response. */
function waitLong(attacker: RawAttacker, { url, key, taskId }: Weapons, count: number): void {
  const headers = [`Authorization: Bearer ${key}`, 'Prefer: wait=60', 'Connection: close']
  repeat(count, () =>
    keepOpen(attacker, (socket) => socket.write(request(`${url}/v1/process/tasks/${taskId}`, headers))),
  )
}

function repeat(count: number, begin: (n: number) => void): void {
  for (let n = 0; n < count; n += 1) begin(n)
}
