import type { HostKeys } from '../sftp/host-keys.ts'

/** Host keys in memory, with the behavior of those in the database. */
export function createKeyBook(): HostKeys {
  const known = new Map<string, string>()
  return {
    async remember({ ownerId, host, port, fingerprint }) {
      const place = `${ownerId} ${host} ${port}`
      const first = known.get(place) ?? fingerprint
      known.set(place, first)
      return first
    },
    async replace({ ownerId, host, port, fingerprint }) {
      known.set(`${ownerId} ${host} ${port}`, fingerprint)
    },
  }
}
