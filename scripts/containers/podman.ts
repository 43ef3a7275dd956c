import { spawnSync } from 'node:child_process'

/** Installs Debian packages that only containers need; `npm run setup` does not install them. */
export function ensurePackages(names: readonly string[]): void {
  const missing = names.filter((name) => !isInstalled(name))
  if (missing.length === 0) return
  console.log(`installing ${missing.join(' ')}`)
  const asRoot = process.getuid?.() === 0 ? [] : ['sudo']
  run([...asRoot, 'apt-get', 'update', '-qq'])
  run([
    ...asRoot,
    ...['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', '-y', '-qq', '--no-install-recommends'],
    ...missing,
  ])
}

function isInstalled(name: string): boolean {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: dpkg fills the fields.
  const query = ['--show', '--showformat=${db:Status-Status}', name]
  return spawnSync('dpkg-query', query, { encoding: 'utf8' }).stdout === 'installed'
}

/** Runs a command and shows its output; throws if it fails. */
export function run(command: readonly string[], env: Readonly<Record<string, string>> = {}): void {
  const [program = '', ...args] = command
  const { status } = spawnSync(program, args, { stdio: 'inherit', env: { ...process.env, ...env } })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}`)
}

/** Runs a command and returns its output; throws with its error output if it fails. */
export function read(command: readonly string[]): string {
  const [program = '', ...args] = command
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}\n${stderr}`)
  return stdout
}

/** Whether a command succeeds; shows no output. */
export function succeeds(command: readonly string[]): boolean {
  const [program = '', ...args] = command
  return spawnSync(program, args, { stdio: 'ignore' }).status === 0
}
