import { createSealer, deriveKeys } from '@lathe/runtime'
import { createTestClock } from '@lathe/testing'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPeople } from './testing/people.ts'
import { createTotp } from './totp.ts'

let people: Awaited<ReturnType<typeof openPeople>>
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people[Symbol.asyncDispose]())

const sealer = createSealer(deriveKeys(['a secret that is long enough for anyone'], 'credentials'))
const clock = createTestClock(new Date())

function open() {
  const totp = createTotp({ database: people.database, sealer, clock, issuer: 'Lathe' })
  const inside = <T>(work: (tx: typeof people.database.pool) => Promise<T>) => people.database.transaction(work)
  return {
    totp,
    check: (userId: string, code: string) => inside((tx) => totp.check(tx, userId, code)),
    confirm: (userId: string, code: string) => inside((tx) => totp.confirm(tx, userId, code)),
    begin: (login: Parameters<typeof totp.begin>[1]) => inside((tx) => totp.begin(tx, login)),
  }
}

/** The code that the app shows this many seconds from now. */
const codeOf = (secret: string, inS = 0) =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: clock.now().getTime() + inS * 1000 })

describe('a second factor', () => {
  it('is on once a code was entered, accepts each code once, and tolerates a clock that is wrong by half a minute', async () => {
    const { totp, begin, confirm, check } = open()
    const { login } = await people.signIn('totp@x.example')
    const { secret, uri } = await begin(login)
    expect(uri).toMatch(/^otpauth:\/\/totp\/Lathe:totp%40x\.example\?issuer=Lathe&secret=[A-Z2-7]{32}/)
    expect(await totp.isOn(login.userId)).toBe(false)
    expect(await confirm(login.userId, '000000')).toBeUndefined()
    expect(await totp.isOn(login.userId)).toBe(false)
    const first = codeOf(secret)
    expect(await confirm(login.userId, first)).toHaveLength(10)
    expect(await totp.isOn(login.userId)).toBe(true)
    expect(await check(login.userId, first)).toBe(false)
    clock.advance(60_000)
    expect(await check(login.userId, codeOf(secret, -90))).toBe(false)
    const late = codeOf(secret, -30)
    expect(await check(login.userId, `${late.slice(0, 3)} ${late.slice(3)}`)).toBe(true)
    expect(await check(login.userId, codeOf(secret, 30))).toBe(true)
    expect(await check(login.userId, codeOf(secret))).toBe(false)
  })

  it('accepts each code once, also in simultaneous requests [D-auth-13]', async () => {
    const { begin, confirm, check } = open()
    const { login } = await people.signIn('race@x.example')
    const { secret } = await begin(login)
    await confirm(login.userId, codeOf(secret))
    clock.advance(30_000)
    const code = codeOf(secret)
    const taken = await Promise.all(Array.from({ length: 4 }, () => check(login.userId, code)))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('can be replaced by recovery codes, each once and in any case, of which hashes are stored', async () => {
    const { begin, confirm, check } = open()
    const { login } = await people.signIn('recovery@x.example')
    const { secret } = await begin(login)
    const codes = (await confirm(login.userId, codeOf(secret))) ?? []
    expect(new Set(codes).size).toBe(10)
    expect(codes[0]).toMatch(/^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/)
    const { rows } = await people.database.pool.query('select * from recovery_codes')
    expect(JSON.stringify(rows)).not.toContain(codes[0])
    expect(await check(login.userId, codes[0]?.toLowerCase().replaceAll('-', ' ') ?? '')).toBe(true)
    expect(await check(login.userId, codes[0] ?? '')).toBe(false)
    expect(await check(login.userId, codes[1] ?? '')).toBe(true)
    const other = await people.signIn('thief@x.example')
    expect(await check(other.login.userId, codes[2] ?? '')).toBe(false)
  })

  it('is not replaced while it is on, and is sealed at rest', async () => {
    const { begin, confirm } = open()
    const { login } = await people.signIn('again@x.example')
    await begin(login)
    const { secret } = await begin(login)
    await confirm(login.userId, codeOf(secret))
    await expect(begin(login)).rejects.toThrow('already')
    const { rows } = await people.database.pool.query('select sealed from totp')
    expect(rows.every(({ sealed }) => !Buffer.from(sealed, 'hex').includes(secret))).toBe(true)
  })
})
