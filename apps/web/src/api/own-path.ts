/** The path of an address the service gave: the page reaches it under its own origin, whatever the service calls itself. */
export function ownPath(address: string): string {
  const { pathname, search } = new URL(address, location.origin)
  return `${pathname}${search}`
}
