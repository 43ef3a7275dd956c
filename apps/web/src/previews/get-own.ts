import { send } from '../api/client.ts'

/** Sends a GET request as the user, for any kind of answer. */
export function getOwn(path: string): Promise<Response> {
  return send(path, { headers: { accept: '*/*' } })
}
