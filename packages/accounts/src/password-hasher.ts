import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { Problem } from '@lathe/domain'

/** Hashes passwords for storage, and verifies them. */
export interface PasswordHasher {
  /** Returns the hash in the PHC format, with its parameters and salt. */
  hash(password: string): Promise<string>
  /** Whether a password has this hash. Without a hash it takes as long, and is false. */
  verify(password: string, hash: string | null | undefined): Promise<boolean>
}

// OWASP's recommendation for Argon2id: 19 MiB, two passes. About 40 ms of one core.
const memoryKiB = 19_456
const passes = 2
const saltBytes = 16
const tagBytes = 32

// Each uses one of the four threads of the pool that also serves file access and DNS lookups.
const atOnce = 2
// With more than this many waiting, a request would wait for seconds.
const mostWaiting = 64

const derive = promisify(argon2)

interface Parameters {
  readonly memory: number
  readonly passes: number
  readonly parallelism: number
  readonly nonce: Buffer
}

/** Hashes with Argon2id off the event loop, two passwords at a time; rejects when too many wait. */
export function createPasswordHasher(): PasswordHasher {
  const waiting: (() => void)[] = []
  let running = 0

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running >= atOnce) {
      if (waiting.length >= mostWaiting) throw new Problem('rate_limited')
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else running += 1
    try {
      return await work()
    } finally {
      // The next in the queue takes over the slot, so that no newer request gets it.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  const compute = (password: string, { nonce, ...parameters }: Parameters, tagLength: number) =>
    inTurn(() => derive('argon2id', { message: password.normalize('NFKC'), nonce, tagLength, ...parameters }))

  return {
    async hash(password) {
      const parameters = { memory: memoryKiB, passes, parallelism: 1, nonce: randomBytes(saltBytes) }
      return format(parameters, await compute(password, parameters, tagBytes))
    },
    async verify(password, hash) {
      const { tag, ...parameters } = parse(hash ?? nobodys)
      const found = await compute(password, parameters, tag.length)
      return timingSafeEqual(found, tag) && hash !== null && hash !== undefined
    },
  }
}

function format({ memory, passes: times, parallelism, nonce }: Parameters, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${times},p=${parallelism}$${base64(nonce)}$${base64(tag)}`
}

const pattern = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

function parse(hash: string): Parameters & { readonly tag: Buffer } {
  const [, memory, times, parallelism, nonce = '', tag = ''] = pattern.exec(hash) ?? []
  if (tag === '') throw new Error('a stored password hash is not in the PHC format')
  return {
    memory: Number(memory),
    passes: Number(times),
    parallelism: Number(parallelism),
    nonce: Buffer.from(nonce, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

const base64 = (value: Buffer) => value.toString('base64').replaceAll('=', '')

/** The hash that the password of an unknown account is compared with, so that it takes as long as a known one. */
const nobodys = format(
  { memory: memoryKiB, passes, parallelism: 1, nonce: randomBytes(saltBytes) },
  randomBytes(tagBytes),
)
