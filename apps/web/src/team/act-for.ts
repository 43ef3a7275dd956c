import { callAuth } from '../session/auth-client.ts'

/** Switches to another owner. The page reloads, because all it shows belongs to the previous one. */
export async function actFor(ownerId: string): Promise<void> {
  await callAuth('owner', { ownerId })
  location.reload()
}
