import { callAuth } from '../session/auth-client.ts'

/** Acts for another owner from now on. The page starts anew: all that it shows belongs to the one before. */
export async function actFor(ownerId: string): Promise<void> {
  await callAuth('owner', { ownerId })
  location.reload()
}
