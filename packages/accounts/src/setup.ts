import { createHash, randomBytes } from 'node:crypto'
import {
  type Database,
  deleteSetupLinks,
  type Executor,
  hasLogins,
  insertSetupLink,
  type LoginRecord,
  lockLogins,
  takeSetupLink,
} from '@lathe/database'
import { Problem } from '@lathe/domain'
import type { Logins, NewPerson } from './logins.ts'

/** The first run: a link from the host makes the first administrator, and nothing else does. */
export interface Setup {
  /** Whether nobody can sign in yet. */
  isNeeded(): Promise<boolean>
  /** Gives what the link ends with. It works once, for 24 hours; undefined if there are people who can sign in. */
  createLink(): Promise<string | undefined>
  /** Makes the first administrator, in a transaction; throws a Problem unless the link works. */
  complete(tx: Executor, link: string, person: Omit<NewPerson, 'isAdmin'>): Promise<LoginRecord>
}

interface SetupParts {
  readonly database: Pick<Database, 'pool'>
  readonly logins: Pick<Logins, 'create'>
}

const linkBytes = 32
const linkS = 24 * 3600

/** Makes setup links and redeems them. */
export function createSetup({ database, logins }: SetupParts): Setup {
  const db = database.pool
  const isNeeded = async () => !(await hasLogins(db))
  return {
    isNeeded,
    async createLink() {
      if (!(await isNeeded())) return undefined
      const link = randomBytes(linkBytes).toString('base64url')
      await insertSetupLink(db, { hash: hashOf(link), lastsS: linkS })
      return link
    },
    async complete(tx, link, person) {
      await lockLogins(tx)
      const isGood = !(await hasLogins(tx)) && (await takeSetupLink(tx, hashOf(link)))
      if (!isGood)
        throw new Problem('link_expired', { msg: 'The setup link was used, is older than 24 hours, or wrong.' })
      await deleteSetupLinks(tx)
      return logins.create(tx, { ...person, isAdmin: true })
    },
  }
}

/** The address of a setup link. What follows the # reaches no server, so it is in no log. */
export function setupUrl(publicUrl: string, link: string): string {
  return `${publicUrl}/setup#${link}`
}

const hashOf = (link: string) => createHash('sha256').update(link).digest('hex')
