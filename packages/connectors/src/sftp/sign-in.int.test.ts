import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { isFailure } from '@lathe/domain'
import { createOutbound } from '@lathe/outbound'
import { Secret } from '@lathe/runtime'
import { makeSshKey, type SshServerOptions, startSshServer } from '@lathe/testing'
import ssh2, { type Algorithms } from 'ssh2'
import { afterEach, describe, expect, it } from 'vitest'
import { createKeyBook } from '../testing/key-book.ts'
import { makeBytes, makeExportContext, makeExportFile, makeImportContext } from '../testing/transfer-contexts.ts'
import { parseHostKey } from './host-key.ts'
import { createSftpExporter, createSftpImporter } from './sftp.ts'

const password = 'correct horse battery'
const username = 'tester'
const key = (type: 'ed25519' | 'rsa') =>
  type === 'rsa' ? ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 }) : makeSshKey()

const lockedKey = makeSshKey({
  passphrase: 'x',
  cipher: 'aes256-ctr',
  rounds: 8,
}).private

let own = new AsyncDisposableStack()
afterEach(async () => {
  await own.disposeAsync()
  own = new AsyncDisposableStack()
})

async function setUp(options: Partial<SshServerOptions> = {}, hostKeys = createKeyBook()) {
  const server = own.use(await startSshServer({ username, password, ...options }))
  await writeFile(join(server.filesDir, 'a.txt'), 'hello')
  const parts = {
    outbound: own.use(createOutbound({ allow: ['127.0.0.1/32'] })),
    hostKeys,
    limits: { readyMs: 10_000 },
  }
  const access = { host: '127.0.0.1', port: server.port, username, password: new Secret(password) }
  async function fetch(more: Record<string, unknown> = {}, given: { ownerId?: string } = {}) {
    const { context, kept } = makeImportContext()
    const payload = { ...access, file_string: 'a.txt', ...more }
    return { end: await createSftpImporter(parts).run(payload, { ...context, ...given }), kept }
  }
  async function put(file_string: string, size = 100_000) {
    const { context } = makeExportContext([makeExportFile('x.bin', makeBytes(size))])
    return createSftpExporter(parts).run({ ...access, file_string }, context)
  }
  return { server, fetch, put, hostKeys }
}

const codeOf = (end: unknown) => (isFailure(end) ? end.code : end)

describe('signing in', () => {
  it.each(['password', 'keyboard-interactive'] as const)('by %s [D-store-12]', async (method) => {
    const { fetch } = await setUp({ method })
    expect((await fetch()).kept).toMatchObject([{ filename: 'a.txt', size: 5 }])
  })

  it('tries the key first, and the password when the key is rejected [D-store-12]', async () => {
    const { fetch, server } = await setUp()
    expect((await fetch({ private_key: key('ed25519').private })).end).toBeUndefined()
    expect(server.attempts).toEqual(['publickey', 'password'])
  })

  it('fails with source_unauthorized for a wrong password, without revealing it', async () => {
    const { fetch } = await setUp()
    const { end } = await fetch({ password: new Secret('wrong-secret-word') })
    expect(codeOf(end)).toBe('source_unauthorized')
    expect(JSON.stringify(end)).not.toContain('wrong-secret-word')
  })

  it.each([
    ['no key at all', 'hello'],
    ['a public key', key('ed25519').public],
    ['a key that needs a passphrase', lockedKey],
  ])('makes no connection with %s', async (_what, private_key) => {
    const { fetch, server } = await setUp()
    expect(codeOf((await fetch({ private_key })).end)).toBe('source_unauthorized')
    expect(server.attempts).toEqual([])
  })
})

describe('a host key', () => {
  it.each(['ed25519', 'rsa'] as const)(
    'of type %s is accepted as a line or as a fingerprint [D-store-10]',
    async (type) => {
      const { private: hostKey, public: line } = key(type)
      const { fetch } = await setUp({ hostKey })
      expect((await fetch({ host_key: line })).end).toBeUndefined()
      const { fingerprint = '' } = parseHostKey(line) ?? {}
      expect((await fetch({ host_key: fingerprint })).end).toBeUndefined()
    },
  )

  it('that is not the given one ends the connection before any credential is sent [D-store-10]', async () => {
    const { fetch, server } = await setUp()
    for (const host_key of [key('ed25519').public, `SHA256:${'A'.repeat(43)}`, 'nonsense']) {
      expect(codeOf((await fetch({ host_key })).end)).toBe('host_key_changed')
    }
    expect(server.attempts).toEqual([])
  })

  it('is trusted on first use, and never again when it changed [D-store-11]', async () => {
    const first = await setUp()
    expect((await first.fetch()).end).toBeUndefined()
    const { port } = first.server
    await first.server[Symbol.asyncDispose]()
    const second = await setUp({ port }, first.hostKeys)
    expect(codeOf((await second.fetch()).end)).toBe('host_key_changed')
    expect(codeOf(await second.put('b.bin'))).toBe('host_key_changed')
    expect(second.server.attempts).toEqual([])
    // Another owner connects to this server for the first time.
    expect((await second.fetch({}, { ownerId: 'ffffffffffffffffffffffff' })).end).toBeUndefined()
  })

  it('given by the owner replaces the stored one [D-store-11]', async () => {
    const first = await setUp()
    await first.fetch()
    const { port } = first.server
    await first.server[Symbol.asyncDispose]()
    const { private: hostKey, public: line } = key('ed25519')
    const second = await setUp({ port, hostKey }, first.hostKeys)
    expect((await second.fetch({ host_key: line })).end).toBeUndefined()
    expect((await second.fetch()).end).toBeUndefined()
  })
})

describe('a server [D-store-13]', () => {
  const weak: [string, Algorithms][] = [
    ['key exchange with SHA-1', { kex: ['diffie-hellman-group14-sha1'] }],
    ['the smallest group', { kex: ['diffie-hellman-group1-sha1'] }],
    ['CBC', { cipher: ['aes256-cbc', '3des-cbc'] }],
    ['MACs of SHA-1 and MD5', { cipher: ['aes128-ctr'], hmac: ['hmac-sha1', 'hmac-md5'] }],
  ]
  it.each(weak)('that offers only %s is refused', async (_what, algorithms) => {
    const { fetch, server } = await setUp({ algorithms })
    expect(codeOf((await fetch()).end)).toBe('source_refused')
    expect(server.attempts).toEqual([])
  })

  it('that proves its key by SHA-1 only is refused', async () => {
    const algorithms = { serverHostKey: ['ssh-rsa'] } satisfies Algorithms
    const { fetch, server } = await setUp({ hostKey: key('rsa').private, algorithms })
    expect(codeOf((await fetch()).end)).toBe('source_refused')
    expect(server.attempts).toEqual([])
  })
})

describe('a server that never finishes its handshake', () => {
  const first = Buffer.from('hello there, wait a moment\r\n')
  it.each([
    ['greets for ever', (socket: Socket) => void setInterval(() => socket.write(first), 20).unref()],
    ['never ends its first line', (socket: Socket) => void setInterval(() => socket.write('x'), 20).unref()],
    ['floods', (socket: Socket) => void flood(socket)],
    ['is silent', () => {}],
  ])('and %s is disconnected [D-store-13]', async (_what, talk) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
      socket.resume()
      talk(socket)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    own.defer(() => void server.close())
    const outbound = own.use(createOutbound({ allow: ['127.0.0.1/32'] }))
    const importer = createSftpImporter({ outbound, hostKeys: createKeyBook(), limits: { readyMs: 1_000 } })
    const { port } = server.address() as AddressInfo
    const payload = { host: '127.0.0.1', port, username, password, file_string: 'a' }
    expect(codeOf(await importer.run(payload, makeImportContext().context))).toBe('source_unreachable')
    await expect.poll(() => sockets.size, { timeout: 20_000 }).toBe(0)
  })
})

async function flood(socket: Socket): Promise<void> {
  const block = Buffer.alloc(64 * 1024, 'greetings\n')
  for (let sent = 0; sent < 1000 && !socket.destroyed; sent++) {
    if (!socket.write(block)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
  }
}

describe('a path', () => {
  it('leads out of the folder if the server lets it, and never into the name [D-store-15]', async () => {
    const { fetch, server } = await setUp()
    const { kept } = await fetch({ file_string: `../${server.filesDir.split('/').at(-1)}/a.txt` })
    expect(kept).toMatchObject([{ filename: 'a.txt' }])
  })

  it('to a folder or to what is no plain file is refused, both ways [D-store-15]', async () => {
    const { fetch, put, server } = await setUp()
    await mkdir(join(server.filesDir, 'folder'))
    for (const file_string of ['folder', 'folder/', '/dev/null']) {
      expect(codeOf((await fetch({ file_string })).end)).toBe('source_refused')
      expect(codeOf(await put(file_string))).toBe('source_refused')
    }
    expect(await readdir(join(server.filesDir, 'folder'))).toEqual([])
  })

  it('that is a link is the file it leads to', async () => {
    const { fetch, server } = await setUp()
    await symlink('a.txt', join(server.filesDir, 'link'))
    expect((await fetch({ file_string: 'link' })).kept).toMatchObject([{ filename: 'link', size: 5 }])
  })

  it('is replaced on a server that can rename but not replace', async () => {
    const { put, server } = await setUp({ deny: 'posix-rename' })
    expect(await put('a.txt', 40_000)).toMatchObject([{ path: 'a.txt', size: 40_000 }])
    expect((await readFile(join(server.filesDir, 'a.txt'))).equals(makeBytes(40_000))).toBe(true)
    expect(await readdir(server.filesDir)).toEqual(['a.txt'])
  })

  it('where nothing may be written is source_forbidden and leaves nothing', async () => {
    const { put, server } = await setUp({ deny: 'write' })
    await chmod(server.filesDir, 0o755)
    expect(codeOf(await put('new.bin'))).toBe('source_forbidden')
    expect(await readdir(server.filesDir)).toEqual(['a.txt'])
  })
})

describe('a file', () => {
  it('that changes while it is read is not kept [D-store-15]', async () => {
    const { server } = await setUp()
    const file = join(server.filesDir, 'big.bin')
    await writeFile(file, makeBytes(8_000_000))
    const outbound = own.use(createOutbound({ allow: ['127.0.0.1/32'] }))
    const { context } = makeImportContext()
    let read = 0
    const save = async (_name: string, source: AsyncIterable<Uint8Array>) => {
      for await (const chunk of source) {
        if (read === 0) await writeFile(file, 'short')
        read += chunk.length
      }
    }
    const payload = { host: '127.0.0.1', port: server.port, username, password, file_string: 'big.bin' }
    const importer = createSftpImporter({ outbound, hostKeys: createKeyBook() })
    expect(codeOf(await importer.run(payload, { ...context, save }))).toBe('source_refused')
  })
})
