import type { Accounts, KeyHolder } from '@lathe/accounts'
import type { ObjectId } from '@lathe/domain'

/** The caller: the holder of an API key or of a job token. */
export interface Caller extends KeyHolder {
  /** The only job it may read, if it came with a job token. */
  readonly onlyJob?: ObjectId
}

/** Finds the caller for a key or token. */
export interface Callers {
  findCaller(key: string): Promise<Caller | undefined>
}

/** Extends the lookup by API key with job tokens. */
export function withJobTokens(
  accounts: Pick<Accounts, 'findCaller'>,
  tokens: { find(token: string): Promise<Caller | undefined> },
): Callers {
  return { findCaller: async (key) => (await accounts.findCaller(key)) ?? tokens.find(key) }
}
