import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'

/** Secrets that nobody may ever get to see, laid out where a broken engine or worker would find them. */
export interface Canaries extends AsyncDisposable {
  readonly folder: string
  /** A text file everybody on the machine may read. */
  readonly file: string
  /** A picture of one colour that no other picture here has. */
  readonly picture: string
  /** What the text file and the variables hold. */
  readonly tokens: readonly string[]
  /** Variables for the worker, named like those an attacker looks for. */
  readonly env: Readonly<Record<string, string>>
  /** Takes the files away, and brings them back: whoever read them would then act differently. */
  hide(): Promise<void>
  show(): Promise<void>
}

/** The colour of the canary picture. Far from grey, so that no compression turns an ordinary colour into it. */
export const canaryColour = { r: 13, g: 241, b: 97 } as const

/** Makes canary files in a folder of their own, readable by the uid engines run as. */
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

// Letters and digits alone, so that no encoder has to escape any of it.
function newToken(): string {
  return `canary${randomBytes(13).toString('hex')}`
}
