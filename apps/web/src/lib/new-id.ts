/** A random id. `crypto.randomUUID` does not exist in pages that are loaded over plain HTTP. */
export function newId(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
