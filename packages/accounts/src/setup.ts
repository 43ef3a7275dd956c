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

/** The first run: only a link created on the host creates the first administrator. */
export interface Setup {
  /** Whether no login exists yet. */
  isNeeded(): Promise<boolean>
  /** Returns the secret of a new link. It works once, for 24 hours; undefined if a login exists. */
  createLink(): Promise<string | undefined>
  /** Creates the first administrator, in a transaction; throws a Problem unless the link is valid. */
  complete(tx: Executor, link: string, person: Omit<NewPerson, 'isAdmin' | 'emailProof'>): Promise<LoginRecord>
}

interface SetupParts {
  readonly database: Pick<Database, 'pool'>
  readonly logins: Pick<Logins, 'create'>
}

const linkBytes = 32
const linkS = 24 * 3600

/** Creates setup links and redeems them. */
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
      return logins.create(tx, { ...person, emailProof: 'administrator', isAdmin: true })
    },
  }
}

/** The URL of a setup link. The part after the # is not sent to servers, so it appears in no log. */
export function setupUrl(publicUrl: string, link: string): string {
  return `${publicUrl}/setup#${link}`
}

const hashOf = (link: string) => createHash('sha256').update(link).digest('hex')
