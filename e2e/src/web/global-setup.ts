import { type Stack, startStack } from '@lathe/testing'
import type { TestProject } from 'vitest/node'
import { setup as setupWithoutAccounts } from '../global-setup.ts'

/** A stack with accounts, and what creates people in it. */
export type AccountsStack = Pick<Stack, 'url' | 'databaseUrl' | 'secret' | 'storageEnv'> & {
  readonly redis: Pick<Stack['redis'], 'url'>
}

declare module 'vitest' {
  interface ProvidedContext {
    accounts: AccountsStack
  }
}

/** Starts one stack without accounts and one with them for all pages. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await using parts = new AsyncDisposableStack()
  parts.defer(await setupWithoutAccounts(project))
  const limits = { SIGN_INS_PER_ACCOUNT: '100000', SIGN_INS_PER_ADDRESS: '100000' }
  const stack = parts.use(await startStack({ env: { ACCOUNTS_MODE: 'accounts', ...limits } }))
  const { url, databaseUrl, secret, storageEnv, redis } = stack
  project.provide('accounts', { url, databaseUrl, secret, storageEnv, redis: { url: redis.url } })
  const all = parts.move()
  return () => all.disposeAsync()
}
