import type { Duplex } from 'node:stream'
import { failure, isFailure, type ObjectId } from '@lathe/domain'
import { type Outbound, TransferFailed } from '@lathe/outbound'
import ssh2, { type AnyAuthMethod, type Client } from 'ssh2'
import type { Access } from './access.ts'
import { algorithms, hostKeyProofs } from './algorithms.ts'
import { fingerprintOf } from './host-key.ts'
import type { HostKeys } from './host-keys.ts'
import { createSession, type SftpSession } from './session.ts'
import { toConnectFailure } from './to-failure.ts'

export interface SftpParts {
  readonly outbound: Pick<Outbound, 'connect'>
  readonly hostKeys: HostKeys
  readonly limits?: Partial<SftpLimits>
}

export interface SftpLimits {
  /** The time from the open connection to the end of the sign-in. Ends a server that keeps sending greetings. */
  readonly readyMs: number
  /** The longest wait for a response. */
  readonly idleMs: number
}

const defaultLimits: SftpLimits = { readyMs: 20_000, idleMs: 30_000 }

/** The owner on whose behalf a server is contacted. */
export interface Caller {
  readonly ownerId: ObjectId
  readonly signal: AbortSignal
}

/** Signs in to a server with the expected host key. Throws TransferFailed, or the reason of the caller's signal. */
export async function connectSftp(parts: SftpParts, access: Access, caller: Caller): Promise<SftpSession> {
  const limits = { ...defaultLimits, ...parts.limits }
  const socket = await parts.outbound.connect(access.host, access.port, caller.signal)
  if (isFailure(socket)) throw new TransferFailed(socket)
  const client = new ssh2.Client()
  const session = createSession({ client, socket, idleMs: limits.idleMs, signal: caller.signal })
  try {
    await signIn(client, socket, { parts, access, caller, readyMs: limits.readyMs })
    await session.start()
    return session
  } catch (error) {
    session[Symbol.dispose]()
    caller.signal.throwIfAborted()
    throw error
  }
}

interface SignIn {
  readonly parts: SftpParts
  readonly access: Access
  readonly caller: Caller
  readonly readyMs: number
}

/** No agent and no forwarding: the client only gets the settings below. */
function signIn(client: Client, socket: Duplex, { parts, access, caller, readyMs }: SignIn): Promise<void> {
  return new Promise((done, fail) => {
    client.on('ready', done)
    client.on('error', (error) => fail(toConnectFailure(error)))
    client.on('close', () => fail(new TransferFailed(failure('source_unreachable', { detail: 'closed' }))))
    client.connect({
      sock: socket,
      readyTimeout: readyMs,
      ident: 'Lathe',
      username: access.username,
      authHandler: authMethods(access),
      algorithms: { ...algorithms, serverHostKey: hostKeyProofs(access.hostKey?.keyType) },
      // Called before any credentials are sent.
      hostVerifier: (key: Buffer, verify: (isKnown: boolean) => void) => {
        checkHostKey(parts.hostKeys, key, { access, caller }).then(
          () => verify(true),
          (error) => {
            fail(error)
            verify(false)
          },
        )
      },
    })
  })
}

async function checkHostKey(
  hostKeys: HostKeys,
  key: Uint8Array,
  { access, caller }: Pick<SignIn, 'access' | 'caller'>,
): Promise<void> {
  const fingerprint = fingerprintOf(key)
  const seen = { ownerId: caller.ownerId, host: access.host, port: access.port, fingerprint }
  const expected = access.hostKey?.fingerprint ?? (await hostKeys.remember(seen))
  if (expected !== fingerprint) throw new TransferFailed(failure('host_key_changed', { detail: fingerprint }))
  if (access.hostKey) await hostKeys.replace(seen)
}

/** The key comes first. Some servers accept passwords only through keyboard-interactive authentication. */
function authMethods({ username, key, password }: Access): AnyAuthMethod[] {
  const ways: AnyAuthMethod[] = []
  if (key) ways.push({ type: 'publickey', username, key })
  if (password === undefined) return ways
  ways.push({ type: 'password', username, password })
  ways.push({
    type: 'keyboard-interactive',
    username,
    prompt: (_name, _instructions, _language, questions, answer) =>
      answer(questions.map(({ echo }) => (echo ? '' : password))),
  })
  return ways
}
