/** How many bytes an owner stores and may store; infinity without a limit. */
export interface StorageUse {
  readonly used: number
  readonly most: number
}

/** Whether this many more bytes exceed what the owner may store. */
export function isOutOfStorage({ used, most }: StorageUse, added: number): boolean {
  return used + added > most
}

/** The message for an owner whose files do not fit, with the bytes they need if known. */
export function outOfStorageText({ used, most }: StorageUse, added?: number): string {
  const why = added === undefined ? 'there is no room for this' : `this needs ${added} more`
  return `Your files take ${used} of the ${most} bytes that you may store, and ${why}. Delete tasks whose files you no longer need, or wait: files are deleted 4 hours after their task was created.`
}
