import { realpathSync } from 'node:fs'
import { isAbsolute, relative, resolve } from 'node:path'

/** Returns the real path of a file that may be read; otherwise throws an error for the model. */
export type PathCheck = (path: string) => string

/** Allows only files in these folders, after links are resolved. */
export function allowPaths(roots: readonly string[]): PathCheck {
  const real = roots.map((root) => realpathSync(root))
  return (path) => {
    const found = findReal(path)
    const isInside = real.some((root) => {
      const way = relative(root, found)
      return way !== '' && !way.startsWith('..') && !isAbsolute(way)
    })
    if (isInside) return found
    throw new Error(`${path} is not in a folder that may be read. Those are: ${roots.join(', ')}`)
  }
}

function findReal(path: string): string {
  try {
    return realpathSync(resolve(path))
  } catch {
    throw new Error(`There is no file ${path}.`)
  }
}
