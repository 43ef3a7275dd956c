/** The labels of an image, by their names in the OCI specification. */
export function imageLabels(given: { image: string; version: string; revision: string }): Record<string, string> {
  const labels = {
    title: given.image,
    description: 'Lathe, an open, self-hosted file conversion service',
    licenses: 'Apache-2.0',
    version: given.version,
    revision: given.revision,
  }
  return Object.fromEntries(Object.entries(labels).map(([name, text]) => [`org.opencontainers.image.${name}`, text]))
}
