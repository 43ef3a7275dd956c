/**
 * What connections are for: each connector (imports and exports alike), webhooks, and hosts that operators configure.
 */
export const purposes = [
  'url',
  'webpage',
  'objstore_a',
  'objstore_b',
  'blobstore',
  'sftp',
  'webhook',
  'oidc',
  'smtp',
] as const

export type Purpose = (typeof purposes)[number]

export function isPurpose(text: string): text is Purpose {
  return (purposes as readonly string[]).includes(text)
}
