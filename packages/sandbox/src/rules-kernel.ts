import { constants } from 'node:fs'
import { open } from 'node:fs/promises'

// The kernel runs the program named in this file whenever a process dumps core, as root and outside all namespaces.
const corePattern = '/proc/sys/kernel/core_pattern'

/**
 * Whether this process could change how the kernel works: root outside a user namespace, with an unmasked /proc.
 * Opening the file for writing changes nothing.
 */
export async function rulesKernel(path = corePattern): Promise<boolean> {
  try {
    await using _file = await open(path, constants.O_WRONLY)
    return true
  } catch {
    return false
  }
}
