/** What an owner has stored and how much it may store, in bytes; infinity without a limit. */
export interface StorageUse {
  readonly used: number
  readonly most: number
}

/** Whether files of so many bytes are more than their owner may store. */
export function isOutOfStorage({ used, most }: StorageUse, added: number): boolean {
  return used + added > most
}

/** What is told to an owner whose files do not fit, where known with how much they need. */
export function outOfStorageText({ used, most }: StorageUse, added?: number): string {
  const why = added === undefined ? 'there is no room for this' : `this needs ${added} more`
  return `Your files take ${used} of the ${most} bytes that you may store, and ${why}. Delete tasks whose files you no longer need, or wait: files are deleted 4 hours after their task was created.`
}
