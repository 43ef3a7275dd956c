import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** Secrets that must never leak, placed where a compromised engine or worker would find them. */
export interface Canaries extends AsyncDisposable {
  readonly folder: string
  /** A text file that every user of the machine may read. */
  readonly file: string
  /** An image of one color that no other image here has. */
  readonly picture: string
  /** The contents of the text file and the variables. */
  readonly tokens: readonly string[]
  /** Variables for the worker, with names that an attacker looks for. */
  readonly env: Readonly<Record<string, string>>
  /** Removes the files and restores them: code that reads them would then behave differently. */
  hide(): Promise<void>
  show(): Promise<void>
}

/** The color of the canary image. Far from gray, so that no compression turns an ordinary color into it. */
export const canaryColour = { r: 13, g: 241, b: 97 } as const

/** Makes canary files in a separate folder, readable by the uid that engines run as. */
export async function layCanaries(): Promise<Canaries> {
  const folder = await mkdtemp('/var/tmp/lathe-canary-')
  await chmod(folder, 0o755)
  const [file, picture] = [join(folder, 'canary'), join(folder, 'canary.png')]
  const inFile = newToken()
  const variables = ['CANARY_ENV', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'PGPASSWORD']
  const env = Object.fromEntries(variables.map((name) => [name, newToken()]))
  const pixels = await sharp({ create: { width: 64, height: 64, channels: 3, background: canaryColour } })
    .png()
    .toBuffer()

  async function show(): Promise<void> {
    await writeFile(file, `${inFile}\n`, { mode: 0o644 })
    await writeFile(picture, pixels, { mode: 0o644 })
  }

  await show()
  return {
    folder,
    file,
    picture,
    tokens: [inFile, ...Object.values(env)],
    env,
    show,
    hide: async () => void (await Promise.all([file, picture].map((path) => rm(path, { force: true })))),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

// Letters and digits only, so that no encoder has to escape them.
function newToken(): string {
  return `canary${randomBytes(13).toString('hex')}`
}
