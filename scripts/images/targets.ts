/** The images of the Dockerfile and the maximum download size of each in megabytes. */
export const targets = [
  { name: 'lathe', limitMb: 110 },
  { name: 'lathe-worker-media', limitMb: 320 },
  { name: 'lathe-worker-document', limitMb: 480 },
  { name: 'lathe-worker-browser', limitMb: 350 },
  { name: 'lathe-worker', limitMb: undefined },
] as const

/** The maximum download of an upgrade that changes only our code. */
export const codeLimitMb = 80

export type Target = (typeof targets)[number]
