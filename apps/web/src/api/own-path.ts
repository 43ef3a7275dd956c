/** The path of a URL from the service: the page requests it from its own origin, whatever the public URL is. */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address, location.origin)
  return `${pathname}${search}`
}
