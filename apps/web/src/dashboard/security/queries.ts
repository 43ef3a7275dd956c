import { queryOptions } from '@tanstack/react-query'
import { queries } from '../../app/queries.ts'
import { callAuth } from '../../session/auth-client.ts'
import { loadSession } from '../../session/bearer.ts'
import { makePasskey } from '../../session/passkey.ts'

/** A signed-in browser. */
export interface OwnSession {
  readonly id: string
  readonly current: boolean
  readonly createdAt: string
  readonly lastUsedAt: string
  readonly address: string | null
  readonly userAgent: string | null
}

export interface Passkey {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await callAuth<{ data: readonly OwnSession[] }>('sessions')).data,
})

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await callAuth<{ data: readonly Passkey[] }>('passkeys')).data,
})

/** Ends a session; ending the current one signs out. */
export async function endSession({ id, current }: OwnSession): Promise<void> {
  await callAuth(`sessions/${id}`, {}, 'DELETE')
  if (current) await loadSession()
  else await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

/** Changes the password. All other sessions end. */
export async function changePassword(change: {
  readonly current: string
  readonly password: string
  readonly revokeKeys: boolean
}): Promise<void> {
  await callAuth('password', change)
  await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })
}

/** What an authenticator app is set up with. */
export interface TotpOffer {
  readonly secret: string
  readonly uri: string
}

export const offerTotp = (current: string) => callAuth<TotpOffer>('totp', { current })

/** Enables the second factor and returns the recovery codes, which are shown once. */
export async function confirmTotp(code: string): Promise<readonly string[]> {
  const { recoveryCodes } = await callAuth<{ recoveryCodes: readonly string[] }>('totp/confirm', { code })
  return recoveryCodes
}

export async function removeTotp(current: string): Promise<void> {
  await callAuth('totp', { current }, 'DELETE')
  await loadSession()
}

/** Creates a passkey on a device of the user, and adds it under a name. */
export async function addPasskey(current: string, name: string): Promise<void> {
  const options = await callAuth<PublicKeyCredentialCreationOptionsJSON>('passkeys/options', { current })
  await callAuth('passkeys/confirm', { name, response: await makePasskey(options) })
  await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
}

export async function renamePasskey(id: string, name: string): Promise<void> {
  await callAuth(`passkeys/${id}`, { name }, 'PATCH')
  await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
}

export async function removePasskey(id: string): Promise<void> {
  await callAuth(`passkeys/${id}`, {}, 'DELETE')
  await queries.invalidateQueries({ queryKey: passkeysQuery.queryKey })
}
