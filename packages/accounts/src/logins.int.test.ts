import { Problem } from '@lathe/domain'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPeople, password } from './testing/people.ts'

let people: Awaited<ReturnType<typeof openPeople>>
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people[Symbol.asyncDispose]())

const ada = { name: 'Ada', email: 'Ada@X.example', password }
const complete = (link: string, person = ada) =>
  people.database.transaction((tx) => people.setup.complete(tx, link, person))

describe('the setup link', () => {
  it('makes one administrator, however many use it at once, and then nobody [D-auth-01]', async () => {
    expect(await people.setup.isNeeded()).toBe(true)
    await expect(complete('guessed')).rejects.toThrow('setup link')
    const spare = (await people.setup.createLink()) ?? ''
    const link = (await people.setup.createLink()) ?? ''
    const { rows } = await people.database.pool.query('select * from setup_links')
    expect(JSON.stringify(rows)).not.toContain(link)
    const tries = await Promise.allSettled([1, 2, 3].map((n) => complete(link, { ...ada, email: `${n}@x.example` })))
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await people.setup.isNeeded()).toBe(false)
    expect(await people.setup.createLink()).toBeUndefined()
    await expect(complete(spare)).rejects.toThrow(Problem)
  })

  it('works for 24 hours [D-auth-01]', async () => {
    await using fresh = await openPeople()
    const link = (await fresh.setup.createLink()) ?? ''
    const pass = (hours: number) =>
      fresh.database.pool.query(`update setup_links set expires_at = expires_at - $1 * interval '1 hour'`, [hours])
    await pass(24)
    await expect(fresh.database.transaction((tx) => fresh.setup.complete(tx, link, ada))).rejects.toThrow('24 hours')
    const another = (await fresh.setup.createLink()) ?? ''
    await pass(23)
    const admin = await fresh.database.transaction((tx) => fresh.setup.complete(tx, another, ada))
    expect(admin).toMatchObject({ email: 'ada@x.example', isAdmin: true })
  })

  it('is not used up by a password that is refused', async () => {
    await using fresh = await openPeople()
    const link = (await fresh.setup.createLink()) ?? ''
    const run = (chosen: string) =>
      fresh.database.transaction((tx) => fresh.setup.complete(tx, link, { ...ada, password: chosen }))
    await expect(run('password123')).rejects.toThrow('common')
    await expect(run('short')).rejects.toThrow('at least 10')
    expect(await run(password)).toMatchObject({ isAdmin: true })
  })
})

describe('a login', () => {
  const create = (email: string) =>
    people.database.transaction((tx) => people.logins.create(tx, { name: 'Bob', email, password, isAdmin: false }))

  it('is checked by address in any case and by the exact password, of which an Argon2id hash is stored', async () => {
    const { userId, passwordHash } = await create('Bob@X.example')
    expect(passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(await people.logins.check(' BOB@x.example', password)).toMatchObject({ userId })
    expect(await people.logins.check('bob@x.example', `${password} `)).toBeUndefined()
    expect(await people.logins.check('nobody@x.example', password)).toBeUndefined()
  })

  it('has a unique address', async () => {
    await create('twice@x.example')
    await expect(create('TWICE@x.example')).rejects.toThrow('taken')
  })

  it('takes as long to refuse for an unknown address [D-auth-08]', async () => {
    await create('timed@x.example')
    // The minimum of several runs: other work of the process adds to the time.
    const spent = { known: Number.POSITIVE_INFINITY, unknown: Number.POSITIVE_INFINITY }
    for (let n = 0; n < 6; n++) {
      for (const [kind, email] of [
        ['known', 'timed@x.example'],
        ['unknown', 'untimed@x.example'],
      ] as const) {
        const before = process.cpuUsage()
        expect(await people.logins.check(email, 'wrong')).toBeUndefined()
        const { user, system } = process.cpuUsage(before)
        spent[kind] = Math.min(spent[kind], user + system)
      }
    }
    // Without the comparison it would be a hundredth.
    expect(spent.unknown / spent.known).toBeGreaterThan(0.5)
    expect(spent.unknown / spent.known).toBeLessThan(2)
  })

  it('never holds up the event loop, and refuses when too many wait', async () => {
    let longestMs = 0
    let last = performance.now()
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last)
      last = performance.now()
    }, 5)
    const before = performance.now()
    await people.logins.check('timed@x.example', 'wrong')
    const oneMs = performance.now() - before
    const tries = await Promise.allSettled(Array.from({ length: 70 }, () => people.logins.check('a@x.example', 'b')))
    clearInterval(timer)
    const refused = tries.filter((end) => end.status === 'rejected')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.every(({ reason }) => reason instanceof Problem && reason.code === 'rate_limited')).toBe(true)
    // On the event loop, 66 of them would block it 66 times as long as one takes.
    expect(longestMs).toBeLessThan(Math.max(500, oneMs * 10))
  })
})

describe('visitors', () => {
  const admit = (name: string) => people.database.transaction((tx) => people.visitors.admitNamed(tx, name))

  it('that a proxy names are one user each, however many requests come at once', async () => {
    const found = await Promise.all(['Carl', 'carl', 'CARL', 'carl'].map(admit))
    expect(new Set(found.map(({ userId }) => userId)).size).toBe(1)
    expect(found[0]).toMatchObject({ email: 'carl', isAdmin: false })
  })

  it('are administrators if they are named as such', async () => {
    expect(await admit('Root@x.example')).toMatchObject({ isAdmin: true })
  })

  it('cannot sign in by a password they do not have', async () => {
    await admit('dora')
    expect(await people.logins.check('dora', '')).toBeUndefined()
  })
})
