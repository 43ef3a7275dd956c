import { execFile } from 'node:child_process'
import { basename, dirname, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = '/var/lib/lathe/engine-roots/current'
// The programs of the engine root in a minimal sandbox: no limits, no filter, no other user.
const sandbox = [
  ...[
    '--unshare-pid',
    '--ro-bind',
    `${root}/usr`,
    '/usr',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
  ],
  ...['--ro-bind', `${root}/etc`, '/etc', '--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp'],
]

/** ImageMagick of the engine root as a script would call it: one process per file. */
export async function bareMagick(from: string, to: string, words: readonly string[]): Promise<void> {
  const folders = ['--ro-bind', dirname(from), '/from', '--bind', dirname(to), '/to']
  const files = [join('/from', basename(from)), '-auto-orient', ...words, join('/to', basename(to))]
  await run('bwrap', [...sandbox, ...folders, '--clearenv', '--setenv', 'PATH', '/usr/bin', '--', 'magick', ...files])
}
