const address = '/service-worker.js'

// The content security policy allows only this policy name, and it creates only this URL.
const policyName = 'lathe-worker'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(): string }): { createScriptURL(input: string): string }
}

/**
 * Registers the service worker that receives shared files. Only an installed app can receive them, so only that has it.
 */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes }
  const trusted = trustedTypes?.createPolicy(policyName, { createScriptURL: () => address }).createScriptURL('')
  await navigator.serviceWorker.register(trusted ?? address, { scope: '/', updateViaCache: 'none' })
}
