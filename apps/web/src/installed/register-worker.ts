const address = '/service-worker.js'

// The policy of the pages knows this name and no other, and it makes nothing but this one address.
const policyName = 'lathe-worker'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string }
}

/** Registers the service worker that takes shared files. Only an installed app is shared with, so only one has it. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const trusted = trustedTypes?.createPolicy(policyName, { createScriptURL: () => address }).createScriptURL('')
  await navigator.serviceWorker.register(trusted ?? address, { scope: '/', updateViaCache: 'none' })
}
