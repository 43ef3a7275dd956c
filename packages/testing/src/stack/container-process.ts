import { spawnSync } from 'node:child_process'
import { chownSync } from 'node:fs'
import type { AppName } from './app-process.ts'
import type { ServerOptions } from './server-process.ts'

/** The containers that run the apps of a stack. */
export interface Containers {
  /** The tag of the images. */
  readonly tag: string
  /** The seccomp profile of workers. */
  readonly seccompFile: string
  /** The image of the worker. */
  readonly worker: string
  /** Engine roots of this machine that replace the one in the image. */
  readonly engineRoots: string | undefined
}

export interface ContainerOptions {
  readonly app: AppName
  readonly name: string
  /** The only folder of the machine that the container sees, under the same path. */
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** Set by `npm run e2e:images`. */
export function containersOf(env: NodeJS.ProcessEnv): Containers | undefined {
  const { LATHE_TEST_IMAGES: tag, LATHE_TEST_SECCOMP: seccompFile = '' } = env
  const { LATHE_TEST_WORKER_IMAGE: worker = 'lathe-worker', LATHE_TEST_ENGINE_ROOTS: engineRoots } = env
  return tag ? { tag, seccompFile, worker, engineRoots } : undefined
}

const user = 1000

/**
 * The command that runs an app in its container as the compose file does: without capabilities, on a read-only root. It
 * uses the host network, because the rest of the stack is on loopback.
 */
export function containerProcess(
  { tag, seccompFile, worker, engineRoots }: Containers,
  { app, name, folder, env }: ContainerOptions,
): Pick<ServerOptions, 'command' | 'env' | 'signal'> {
  const container = `lathe-${folder.split('/').at(-1)}-${name}`
  // The stack created these as its own user.
  for (const path of [folder, env.LATHE_SCRATCH_DIR, env.STORAGE_DIR]) if (path) chownSync(path, user, user)
  const settings = Object.entries(env).filter(
    ([key]) => !['PATH', 'NODE_COMPILE_CACHE', 'LATHE_ENGINE_ROOT'].includes(key),
  )
  return {
    command: [
      ...['podman', 'run', '--rm', '--replace', '--name', container, '--runtime', 'runc', '--network', 'host'],
      ...['--ulimit', 'nofile=1024:1024', '--ulimit', 'nproc=8192:8192', '--log-driver', 'none', '--no-healthcheck'],
      ...['--user', `${user}:${user}`, '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges', '--read-only'],
      ...(app === 'worker' ? ['--security-opt', `seccomp=${seccompFile}`, '--security-opt', 'unmask=ALL'] : []),
      ...['--volume', `${folder}:${folder}`, ...settings.flatMap(([key, value]) => ['--env', `${key}=${value}`])],
      ...(app === 'worker' && engineRoots ? ['--volume', `${engineRoots}:/var/lib/lathe/engine-roots:ro`] : []),
      ...[`localhost/${app === 'worker' ? worker : 'lathe'}:${tag}`, app],
    ],
    env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/' },
    // Podman's process forwards signals except those it cannot catch.
    signal(child, signal) {
      if (signal === 'SIGKILL') spawnSync('podman', ['rm', '--force', '--time', '0', container], { stdio: 'ignore' })
      else child.kill(signal)
    },
  }
}
