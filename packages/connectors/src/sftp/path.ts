/** Everything up to and including the last slash; empty for a name in the initial folder. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Everything after the last slash. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
