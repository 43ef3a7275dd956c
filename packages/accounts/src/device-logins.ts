import { createHash, createHmac, randomBytes, randomInt } from 'node:crypto'
import { isScope, type KeyScope } from '@lathe/contract'
import {
  type Database,
  type DeviceCodeRecord,
  type DeviceDecider,
  decideDeviceCode,
  type Executor,
  findPendingDeviceCode,
  findRoleOfPerson,
  insertDeviceCode,
  lockOwner,
  pollDeviceCode,
  useDeviceCode,
} from '@lathe/database'
import { isAtLeast, Problem } from '@lathe/domain'
import type { Key, Keys } from '@lathe/runtime'
import type { Accounts, CreatedKey } from './accounts.ts'

/** A program that requests to sign in. */
export interface NewDeviceLogin {
  /** The name it gives, which becomes the name of its key. */
  readonly name: string
  readonly scopes: readonly KeyScope[]
  readonly address: string
}

/** A started sign-in. Both codes are shown once: only their hashes are stored. */
export interface StartedDeviceLogin {
  readonly deviceCode: string
  /** Eight letters in two groups: WDJB-MJHT. */
  readonly userCode: string
  readonly expiresS: number
  readonly intervalS: number
}

/** A person, and the owner that the key will act for. */
export type KeyMaker = Pick<DeviceDecider, 'userId' | 'ownerId'>

/** An approved sign-in, with what its key needs. */
export interface ApprovedLogin extends DeviceDecider {
  readonly deviceHash: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
}

/**
 * Sign-ins of programs without a browser, in the style of RFC 8628. The owner is locked before the code, in the general
 * lock order, so the rights of the approving user cannot change between the check and the key.
 *
 *   pending ─▶ approved ─▶ used
 *      └─────▶ denied
 */
export interface DeviceLogins {
  start(login: NewDeviceLogin): Promise<StartedDeviceLogin>
  /** The pending sign-in of a user code, if there is one. */
  find(userCode: string): Promise<DeviceCodeRecord | undefined>
  /** Whether a person may create keys of an owner. */
  mayApprove(maker: KeyMaker): Promise<boolean>
  /** Approves a sign-in, in a transaction; throws a Problem if the person may not create keys of the owner. */
  approve(tx: Executor, userCode: string, decider: DeviceDecider): Promise<DeviceCodeRecord>
  deny(tx: Executor, userCode: string, decider: DeviceDecider): Promise<DeviceCodeRecord>
  /** The sign-in of a device code, once it is approved; throws a Problem until then, and in all other cases. */
  poll(deviceCode: string): Promise<ApprovedLogin>
  /**
   * Creates the key of an approved sign-in, in a transaction, once; throws a Problem if it was created before, or is no
   * longer allowed.
   */
  takeKey(tx: Executor, approved: ApprovedLogin): Promise<CreatedKey>
}

interface DeviceLoginsParts {
  readonly database: Pick<Database, 'pool'>
  readonly accounts: Pick<Accounts, 'createOwnKey'>
  /** The keys for hashing user codes. */
  readonly hashKeys: Keys
}

const deviceCodeBytes = 32
const lastsS = 600
const intervalS = 3
// No vowels, so that codes do not form words (RFC 8628, section 6.1): 8 letters out of 20, 34.5 bits.
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLetters = 8
// A code that another sign-in is using is drawn again.
const attempts = 5

/** Starts sign-ins of programs, and creates their keys. */
export function createDeviceLogins({ database, accounts, hashKeys }: DeviceLoginsParts): DeviceLogins {
  const db = database.pool

  function userHashesOf(userCode: string): readonly [string, ...string[]] {
    const letters = lettersOf(userCode)
    const hash = ({ secret }: Key) => createHmac('sha256', secret).update(`user code ${letters}`).digest('hex')
    const [first, ...others] = hashKeys
    return [hash(first), ...others.map(hash)]
  }

  async function requireMaker(tx: Executor, maker: KeyMaker): Promise<void> {
    await lockOwner(tx, maker.ownerId)
    if (!(await mayMakeKeys(tx, maker))) {
      throw new Problem('forbidden', { msg: 'You may not make API keys for this owner. Ask an admin of the team.' })
    }
  }

  async function decide(tx: Executor, userCode: string, decision: Parameters<typeof decideDeviceCode>[2]) {
    const decided = await decideDeviceCode(tx, userHashesOf(userCode), decision)
    if (!decided) throw unknownCode()
    return decided
  }

  return {
    async start(login) {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        const deviceCode = randomBytes(deviceCodeBytes).toString('base64url')
        const userCode = newUserCode()
        const [userHash] = userHashesOf(userCode)
        const kept = { ...login, deviceHash: hashOf(deviceCode), userHash, intervalS, lastsS }
        if (await insertDeviceCode(db, kept)) return { deviceCode, userCode, expiresS: lastsS, intervalS }
      }
      throw new Error('no free user code was found')
    },
    find: (userCode) => findPendingDeviceCode(db, userHashesOf(userCode)),
    mayApprove: (maker) => mayMakeKeys(db, maker),
    async approve(tx, userCode, decider) {
      await requireMaker(tx, decider)
      return decide(tx, userCode, { ...decider, status: 'approved' })
    },
    deny: (tx, userCode, decider) => decide(tx, userCode, { ...decider, status: 'denied' }),
    async poll(deviceCode) {
      const deviceHash = hashOf(deviceCode)
      const found = await pollDeviceCode(db, deviceHash)
      if (!found) throw new Problem('expired_token')
      if (found.status === 'denied') throw new Problem('access_denied')
      if (found.status === 'used') throw usedCode()
      if (found.status === 'pending') throw new Problem(found.isTooFast ? 'slow_down' : 'authorization_pending')
      return { ...found, deviceHash, scopes: found.scopes.filter(isScope) }
    },
    async takeKey(tx, { deviceHash, userId, ownerId, name, scopes }) {
      await lockOwner(tx, ownerId)
      // Of two simultaneous polls, the second finds the code used.
      if (!(await useDeviceCode(tx, deviceHash))) throw usedCode()
      if (!(await mayMakeKeys(tx, { userId, ownerId }))) throw new Problem('access_denied')
      return accounts.createOwnKey(tx, { userId, ownerId }, { name, scopes })
    },
  }
}

async function mayMakeKeys(db: Executor, maker: KeyMaker): Promise<boolean> {
  const role = await findRoleOfPerson(db, maker)
  return role !== undefined && isAtLeast(role, 'admin')
}

function newUserCode(): string {
  const letters = Array.from({ length: codeLetters }, () => alphabet.charAt(randomInt(alphabet.length))).join('')
  return `${letters.slice(0, codeLetters / 2)}-${letters.slice(codeLetters / 2)}`
}

/** A code as people type it: in any case, with or without the hyphen. */
function lettersOf(userCode: string): string {
  return userCode.toUpperCase().replaceAll(/[^A-Z]/g, '')
}

/** The error for a code that has no pending sign-in. */
export function unknownCode(): Problem {
  return new Problem('link_expired', {
    msg: 'No sign-in waits under this code. It is wrong, older than 10 minutes, or was approved or denied before.',
  })
}

function usedCode(): Problem {
  return new Problem('expired_token', {
    msg: 'A key was already given for this code. If you did not receive it, revoke it on the page of keys and sign in again.',
  })
}

const hashOf = (deviceCode: string) => createHash('sha256').update(deviceCode).digest('hex')
