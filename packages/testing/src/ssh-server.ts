import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import ssh2, { type Algorithms, type AuthContext, type Connection } from 'ssh2'
import { makeSshKey } from './ssh-key.ts'

export interface SshServerOptions {
  readonly username: string
  readonly password: string
  /** How the server asks for passwords; `password` by default. */
  readonly method?: 'password' | 'keyboard-interactive'
  /** A private key in OpenSSH or PEM format; a new Ed25519 key by default. */
  readonly hostKey?: string
  readonly algorithms?: Algorithms
  readonly port?: number
  /** Requests that the file server rejects as unknown, in the form of its option -P. */
  readonly deny?: string
}

/**
 * An SSH server that accepts passwords and presents a configurable host key. OpenSSH's sftp-server serves the files.
 */
export interface SshServer extends AsyncDisposable {
  readonly port: number
  readonly filesDir: string
  /** The authentication methods tried, in order. */
  readonly attempts: readonly string[]
}

const sftpServer = '/usr/lib/openssh/sftp-server'

/** Starts the server on loopback with its own folder. */
export async function startSshServer(options: SshServerOptions): Promise<SshServer> {
  const filesDir = await mkdtemp(join(tmpdir(), 'lathe-ssh-server-'))
  const attempts: string[] = []
  const open = new Set<Connection>()
  const { algorithms, hostKey = makeSshKey().private } = options
  const server = new ssh2.Server({ hostKeys: [hostKey], ...(algorithms && { algorithms }) }, (connection) => {
    open.add(connection)
    connection.on('error', () => {})
    connection.on('close', () => open.delete(connection))
    connection.on('authentication', (attempt) => {
      attempts.push(attempt.method)
      judge(attempt, options)
    })
    connection.on(
      'session',
      (accept) => void accept().on('subsystem', (begin) => serveFiles(begin(), filesDir, options.deny)),
    )
  })
  server.listen(options.port ?? 0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    filesDir,
    attempts,
    async [Symbol.asyncDispose]() {
      for (const connection of open) connection.end()
      await new Promise<void>((done) => server.close(() => done()))
      await rm(filesDir, { recursive: true, force: true })
    },
  }
}

function judge(attempt: AuthContext, { username, password, method = 'password' }: SshServerOptions): void {
  const decide = (given: string | undefined) =>
    attempt.username === username && given === password ? attempt.accept() : attempt.reject([method])
  if (attempt.method !== method) attempt.reject([method])
  else if (attempt.method === 'password') decide(attempt.password)
  else if (attempt.method === 'keyboard-interactive') {
    attempt.prompt([{ prompt: 'Password: ', echo: false }], (answers) => decide(answers[0]))
  }
}

function serveFiles(channel: NodeJS.ReadWriteStream, filesDir: string, deny: string | undefined): void {
  const args = ['-d', filesDir, ...(deny === undefined ? [] : ['-P', deny])]
  const child = spawn(sftpServer, args, { stdio: ['pipe', 'pipe', 'ignore'] })
  for (const stream of [child.stdin, channel]) stream.on('error', () => {})
  channel.pipe(child.stdin)
  child.stdout.pipe(channel)
}
