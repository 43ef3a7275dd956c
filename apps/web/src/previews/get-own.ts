import { api, load } from '../api/client.ts'

/** Sends a GET request as the user, for any kind of answer. */
export function getOwn(path: string): Promise<Response> {
  return load(api(), path, { once: true })
}
