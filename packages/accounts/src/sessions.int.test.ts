import { bytes, forgetSessions } from '@lathe/database'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPeople, origin } from './testing/people.ts'

let people: Awaited<ReturnType<typeof openPeople>>
beforeAll(async () => {
  people = await openPeople()
})
afterAll(() => people[Symbol.asyncDispose]())

/** Makes a session look this many seconds older. */
async function age(id: string, seconds: number): Promise<void> {
  await people.database.pool.query(
    `update sessions set last_used_at = last_used_at - $2 * interval '1 second',
            expires_at = expires_at - $2 * interval '1 second' where id = $1`,
    [bytes(id), seconds],
  )
}

describe('a session', () => {
  it('is found by its cookie of 256 bits, of which only a hash is stored [D-auth-02]', async () => {
    const { cookie, session } = await people.signIn('hash@x.example')
    expect(Buffer.from(cookie, 'base64url')).toHaveLength(32)
    const { sessions } = people.openSessions()
    expect(await sessions.find(cookie)).toMatchObject({ id: session.id, ...origin })
    expect(await sessions.find(`${cookie[0] === 'A' ? 'B' : 'A'}${cookie.slice(1)}`)).toBeUndefined()
    const { rows } = await people.database.pool.query('select * from sessions where id = $1', [bytes(session.id)])
    expect(JSON.stringify(rows)).not.toContain(cookie)
  })

  it.each([
    ['usual', 1790, 1800],
    ['staying', 7 * 86_400 - 10, 7 * 86_400],
  ] as const)('that is %s ends %d to %d s after its last use [D-auth-04]', async (kind, before, after) => {
    const { sessions } = people.openSessions()
    const young = await people.signIn(`young-${kind}@x.example`, kind)
    await age(young.session.id, before)
    expect(await sessions.find(young.cookie)).toBeDefined()
    const old = await people.signIn(`old-${kind}@x.example`, kind)
    await age(old.session.id, after)
    expect(await sessions.find(old.cookie)).toBeUndefined()
  })

  it('that is used all the time ends after 24 hours, and after 30 days if it stays [D-auth-04]', async () => {
    const { sessions } = people.openSessions()
    for (const [kind, lastsS] of [
      ['usual', 86_400],
      ['staying', 30 * 86_400],
    ] as const) {
      const { session, cookie } = await people.signIn(`busy-${kind}@x.example`, kind)
      const passAndUse = async (seconds: number) => {
        await age(session.id, seconds)
        await people.database.pool.query('update sessions set last_used_at = now() where id = $1', [bytes(session.id)])
      }
      await passAndUse(lastsS - 10)
      expect(await sessions.find(cookie)).toBeDefined()
      await passAndUse(10)
      expect(await sessions.find(cookie)).toBeUndefined()
    }
  })

  it('is extended by use', async () => {
    const { sessions } = people.openSessions()
    const { session, cookie } = await people.signIn('use@x.example')
    for (let n = 0; n < 3; n++) {
      await age(session.id, 1700)
      expect(await sessions.find(cookie)).toBeDefined()
    }
  })

  it('can get a new cookie, and the first becomes invalid', async () => {
    const { sessions } = people.openSessions()
    const { session, cookie } = await people.signIn('renew@x.example')
    const next = await sessions.renew(people.database.pool, session)
    expect(await sessions.find(cookie)).toBeUndefined()
    expect(await sessions.find(next ?? '')).toMatchObject({ id: session.id })
  })

  it('is listed and ended by its user alone', async () => {
    const { sessions } = people.openSessions()
    const mine = await people.signIn('mine@x.example')
    const other = await people.signIn('other@x.example')
    expect((await sessions.list(mine.login.userId)).map(({ id }) => id)).toEqual([mine.session.id])
    const stolen = { id: mine.session.id, userId: other.login.userId }
    expect(await sessions.end(people.database.pool, stolen)).toBe(false)
    expect(await sessions.find(mine.cookie)).toBeDefined()
    expect(await sessions.end(people.database.pool, mine.session)).toBe(true)
    expect(await sessions.find(mine.cookie)).toBeUndefined()
  })

  it('is one of at most 50 of its user', async () => {
    const { sessions } = people.openSessions()
    const { login, cookie } = await people.signIn('many@x.example')
    for (let n = 0; n < 50; n++) {
      await sessions.open(people.database.pool, { userId: login.userId, kind: 'usual', ...origin })
    }
    expect(await sessions.list(login.userId)).toHaveLength(50)
    expect(await sessions.find(cookie)).toBeUndefined()
  })

  it('that has ended is deleted, and no other', async () => {
    const ended = await people.signIn('ended@x.example')
    const open = await people.signIn('open@x.example')
    await age(ended.session.id, 1800)
    expect(await forgetSessions(people.database.pool, 1000)).toBeGreaterThan(0)
    const { rows } = await people.database.pool.query('select id from sessions')
    const left = rows.map(({ id }) => id)
    expect(left).not.toContain(ended.session.id)
    expect(left).toContain(open.session.id)
  })
})

describe('the token of a session', () => {
  it('acts for the user with every scope, for 10 minutes [D-auth-07]', async () => {
    const { sessions, clock } = people.openSessions()
    const { login, session } = await people.signIn('token@x.example')
    const issued = await sessions.issueToken(session, login.userId)
    expect(issued && issued.expiresAt.getTime() - clock.now().getTime()).toBe(600_000)
    const caller = await sessions.findCaller(issued?.token ?? '')
    expect(caller).toMatchObject({ ownerId: login.userId, userId: login.userId, keyId: session.id })
    expect(caller?.scopes.has('account.write')).toBe(true)
    clock.advance(599_000)
    expect(await sessions.findCaller(issued?.token ?? '')).toBeDefined()
    clock.advance(1_000)
    expect(await sessions.findCaller(issued?.token ?? '')).toBeUndefined()
  })

  it('is refused within 5 seconds of the end of its session, also in a process that had just used it [D-auth-07]', async () => {
    const [first, second] = [people.openSessions(), people.openSessions()]
    const { login, session } = await people.signIn('revoked@x.example')
    const { token = '' } = (await first.sessions.issueToken(session, login.userId)) ?? {}
    expect(await second.sessions.findCaller(token)).toBeDefined()
    await first.sessions.end(people.database.pool, session)
    expect(await first.sessions.findCaller(token)).toBeUndefined()
    second.clock.advance(5000)
    expect(await second.sessions.findCaller(token)).toBeUndefined()
  })

  it('is refused if it was changed, truncated, or signed with another secret, and accepted with a previous one', async () => {
    const { sessions } = people.openSessions()
    const { login, session } = await people.signIn('forged@x.example')
    const { token = '' } = (await sessions.issueToken(session, login.userId)) ?? {}
    const [claims = '', signature = ''] = token.slice('lathe_t_'.length).split('.')
    const other = Buffer.from(claims, 'base64url').toString().replace(login.userId, 'f'.repeat(24))
    expect(
      await sessions.findCaller(`lathe_t_${Buffer.from(other).toString('base64url')}.${signature}`),
    ).toBeUndefined()
    expect(await sessions.findCaller(token.slice(0, -1))).toBeUndefined()
    const strangers = people.openSessions(['another secret that is also long enough'])
    expect(await strangers.sessions.findCaller(token)).toBeUndefined()
    const renewed = people.openSessions(['a new secret, long enough', 'a secret that is long enough for anyone'])
    expect(await renewed.sessions.findCaller(token)).toBeDefined()
  })

  it('is not issued for an owner the user does not belong to, nor for a half-open session', async () => {
    const { sessions } = people.openSessions()
    const mine = await people.signIn('me@x.example')
    const other = await people.signIn('you@x.example')
    expect(await sessions.issueToken(mine.session, other.login.userId)).toBeUndefined()
    const half = { userId: mine.login.userId, kind: 'usual', pending: 'totp', ...origin } as const
    const { session } = await sessions.open(people.database.pool, half)
    expect(await sessions.issueToken(session, mine.login.userId)).toBeUndefined()
  })

  it('acts for a team by the role of its member, which counts from the moment it is changed [D-auth-07]', async () => {
    const { sessions, clock } = people.openSessions()
    const { login, session } = await people.signIn('member@x.example')
    const teamId = 'ee'.repeat(12)
    const db = people.database.pool
    await db.query('insert into owners (id, slots) values ($1, 4)', [bytes(teamId)])
    await db.query(`insert into teams (owner_id, name) values ($1, 'Turners')`, [bytes(teamId)])
    expect(await sessions.issueToken(session, teamId)).toBeUndefined()
    await db.query(`insert into memberships (owner_id, user_id, role) values ($1, $2, 'admin')`, [
      bytes(teamId),
      bytes(login.userId),
    ])
    const { token = '' } = (await sessions.issueToken(session, teamId)) ?? {}
    const caller = await sessions.findCaller(token)
    expect(caller).toMatchObject({ ownerId: teamId, userId: login.userId })
    expect(caller?.scopes.has('account.write')).toBe(true)
    await db.query(`update memberships set role = 'member' where user_id = $1`, [bytes(login.userId)])
    clock.advance(5000)
    expect((await sessions.findCaller(token))?.scopes.has('account.write')).toBe(false)
    await db.query('delete from memberships where user_id = $1', [bytes(login.userId)])
    clock.advance(5000)
    expect(await sessions.findCaller(token)).toBeUndefined()
  })
})
