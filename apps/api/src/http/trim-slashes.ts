/** Removes trailing slashes. A regular expression would be tried at each of a million slashes. */
export function trimSlashes(path: string): string {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return path.slice(0, end)
}
