import type { Accounts, KeyHolder } from '@lathe/accounts'
import type { ObjectId } from '@lathe/domain'

/** Who is calling: the holder of an API key, or of a token of one job. */
export interface Caller extends KeyHolder {
  /** The only job it may read, if it came with a job token. */
  readonly onlyJob?: ObjectId
}

/** Finds out who comes with a key or a token. */
export interface Callers {
  findCaller(key: string): Promise<Caller | undefined>
}

/** Callers by their keys, and by tokens of jobs. */
export function withJobTokens(
  accounts: Pick<Accounts, 'findCaller'>,
  tokens: { find(token: string): Promise<Caller | undefined> },
): Callers {
  return { findCaller: async (key) => (await accounts.findCaller(key)) ?? tokens.find(key) }
}
