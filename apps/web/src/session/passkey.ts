import { RequestError } from '@lathe/sdk'
import { callAuth } from './auth-client.ts'
import type { Session } from './session.ts'

/** The user has declined in the browser's dialog, or took too long. */
export const passkeyRefused = 499

/** Creates a passkey that the service does not know yet. */
export async function makePasskey(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  return answerOf(navigator.credentials.create({ publicKey }))
}

/** Signs in with a passkey of this browser or of a nearby device. */
export async function signInWithPasskey(stay: boolean): Promise<Session> {
  const options = await callAuth<PublicKeyCredentialRequestOptionsJSON>('passkeys/sign-in/options', {})
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const response = await answerOf(navigator.credentials.get({ publicKey }))
  return callAuth<Session>('passkeys/sign-in', { response, stay })
}

async function answerOf(asked: Promise<Credential | null>): Promise<unknown> {
  const given = await asked.catch((cause: Error) => {
    throw new RequestError({ status: passkeyRefused, msg: cause.message })
  })
  return (given as PublicKeyCredential).toJSON()
}
