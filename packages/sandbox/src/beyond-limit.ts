const MiB = 1024 ** 2
const GiB = 1024 ** 3

const advice = 'Try a smaller file or simpler options.'

/** The message for the owner of a file whose conversion exceeded the memory limit. */
export function beyondMemory(bytes: number): string {
  return `The conversion needs more than ${sizeOf(bytes)} of memory, which is the limit. ${advice}`
}

/** The message for a conversion that wrote too many bytes or too many files. */
export function beyondDisk({ bytes, entries }: { readonly bytes: number; readonly entries: number }): string {
  const files = entries.toLocaleString('en-US')
  return `The conversion writes more than ${sizeOf(bytes)} or ${files} files, which is the limit. ${advice}`
}

/** The message for a conversion that wrote a file that is too large. */
export function beyondFile(bytes: number): string {
  return `The conversion writes a file of more than ${sizeOf(bytes)}, which is the limit. ${advice}`
}

function sizeOf(bytes: number): string {
  const [unit, name] = bytes >= GiB ? [GiB, 'GiB'] : [MiB, 'MiB']
  return `${Number((bytes / unit).toFixed(1))} ${name}`
}
