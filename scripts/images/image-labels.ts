export interface LabelValues {
  readonly image: string
  readonly version: string
  readonly revision: string
  /** The address of the repository. */
  readonly source: string | undefined
}

/** The labels of an image, by their names in the OCI specification. */
export function imageLabels({ image, version, revision, source }: LabelValues): Record<string, string> {
  const labels = {
    title: image,
    description: 'Lathe, an open, self-hosted file conversion service',
    licenses: 'Apache-2.0',
    version,
    revision,
    ...(source && { source }),
  }
  return Object.fromEntries(Object.entries(labels).map(([name, text]) => [`org.opencontainers.image.${name}`, text]))
}
