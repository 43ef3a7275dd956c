/** A path of the service's own pages; the front page if the path leads elsewhere. */
export function toOwnPath(publicUrl: string, path: string): string {
  const base = new URL(publicUrl)
  // A second slash or a backslash would start the name of another host.
  if (!/^\/(?![/\\])/.test(path)) return '/'
  const url = URL.parse(path, base.href)
  if (!url || url.origin !== base.origin || /^\/[/\\]/.test(url.pathname)) return '/'
  return url.pathname + url.search + url.hash
}
