/** Everything up to the last slash, with it; empty for a name in the folder one is signed in to. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** What comes after the last slash. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
