/** How the URL that the browser uses compares with the configured one. */
export interface AddressCheck {
  /** The origins without a path, as the browser and the server name them. */
  readonly seen: string
  readonly configured: string
  readonly isSame: boolean
  readonly isEncrypted: boolean
  /** Whether only the machine of the server itself can open it. */
  readonly isLocal: boolean
}

const local = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Compares the origin of the page with LATHE_PUBLIC_URL. */
export function checkAddress(seen: string, publicUrl: string): AddressCheck {
  const { origin, protocol, hostname } = new URL(publicUrl)
  return {
    seen,
    configured: origin,
    isSame: seen === origin,
    isEncrypted: protocol === 'https:',
    isLocal: local.test(hostname),
  }
}
