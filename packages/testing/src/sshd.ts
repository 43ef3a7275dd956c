import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from './stack/free-port.ts'
import { runToEnd, startServer } from './stack/server-process.ts'

/** OpenSSH on loopback, for SFTP only. Nobody can sign in with a password: that would need system accounts. */
export interface TestSshd extends AsyncDisposable {
  readonly port: number
  readonly username: string
  /** Key of the one user who may sign in, in OpenSSH format. */
  readonly privateKey: string
  /** The line of the server's public key. */
  readonly hostKey: string
  /** The folder that relative paths start from. */
  readonly filesDir: string
}

// File modes do not stop root, so the server runs as a user who owns nothing but its own folder.
const nobody = { username: 'nobody', uid: 65_534, gid: 65_534 }

/** Starts a server with its own keys and folder; disposing removes all of it. */
export async function startSshd(): Promise<TestSshd> {
  await using parts = new AsyncDisposableStack()
  const isRoot = process.getuid?.() === 0
  const user = isRoot ? nobody : userInfo()
  const folder = parts.adopt(await mkdtemp(join(tmpdir(), 'lathe-sshd-')), (made) => rm(made, { recursive: true }))
  const filesDir = join(folder, 'files')
  await mkdir(filesDir)
  await chmod(folder, 0o755)
  const port = await findFreePort()
  for (const name of ['host', 'user']) {
    await runToEnd(['ssh-keygen', '-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)])
  }
  await writeFile(join(folder, 'config'), configuration({ folder, filesDir, port }))
  for (const path of [filesDir, join(folder, 'host')]) await chown(path, user.uid, user.gid)
  const { uid, gid } = user
  const asUser = isRoot ? ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig=KILL'] : []
  const server = await startServer({
    name: 'sshd',
    command: [...asUser, '/usr/sbin/sshd', '-D', '-e', '-f', join(folder, 'config')],
    env: { PATH: process.env.PATH ?? '' },
    logFile: join(folder, 'log'),
    isReady: (written) => written.includes('Server listening'),
  })
  parts.defer(async () => void (await server.stop()))
  const all = parts.move()
  return {
    port,
    username: user.username,
    privateKey: await readFile(join(folder, 'user'), 'utf8'),
    hostKey: await readFile(join(folder, 'host.pub'), 'utf8'),
    filesDir,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

interface Places {
  readonly folder: string
  readonly filesDir: string
  readonly port: number
}

function configuration({ folder, filesDir, port }: Places): string {
  return [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${folder}/host`,
    `AuthorizedKeysFile ${folder}/user.pub`,
    'PidFile none',
    // Without PAM, sshd treats a user without a password as locked.
    'UsePAM yes',
    'StrictModes no',
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'MaxStartups 100',
    'LogLevel INFO',
    'Subsystem sftp internal-sftp',
    `ForceCommand internal-sftp -d ${filesDir}`,
    '',
  ].join('\n')
}
