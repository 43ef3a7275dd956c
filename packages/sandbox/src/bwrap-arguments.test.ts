import { describe, expect, it } from 'vitest'
import { bwrapArguments, type Enclosure } from './bwrap-arguments.ts'
import { profileOf } from './profiles.ts'

const enclosure: Enclosure = {
  engineRoot: '/roots/a',
  folder: '/scratch/job-1',
  profile: profileOf('vips'),
  tmpBytes: 1000,
  privateProc: true,
  ownHostname: true,
  infoFd: 3,
  seccompFd: 4,
  command: ['true', '--version', '$(id)'],
}

/** The arguments after each appearance of an option. */
function valuesOf(args: readonly string[], option: string, count: number): readonly (readonly string[])[] {
  return args.flatMap((arg, at) => (arg === option ? [args.slice(at + 1, at + 1 + count)] : []))
}

describe('the arguments of a sandbox', () => {
  const args = bwrapArguments(enclosure)

  it('ask for every namespace, and for an error where user namespaces are forbidden', () => {
    expect(args.slice(0, 3)).toEqual(['--unshare-user', '--unshare-all', '--disable-userns'])
    expect(args).toContain('--die-with-parent')
    expect(args).toContain('--new-session')
    expect(valuesOf(args, '--cap-drop', 1)).toEqual([['ALL']])
  })

  it('let exactly one folder of the host be written to', () => {
    expect(valuesOf(args, '--bind', 2)).toEqual([['/scratch/job-1', '/job']])
    expect(args.filter((arg) => arg.includes('bind') && !arg.startsWith('--ro-bind'))).toEqual(['--bind'])
  })

  it('show nothing of the host but the engine root', () => {
    const sources = [...valuesOf(args, '--ro-bind', 2), ...valuesOf(args, '--ro-bind-try', 2)].map(([source]) => source)
    const strange = sources.filter((source) => !source?.startsWith('/roots/a/'))
    // /dev/null covers what a profile hides.
    expect(strange.filter((source) => source !== '/dev/null')).toEqual([])
  })

  it('make the root read-only once everything is mounted in it', () => {
    expect(args.lastIndexOf('--remount-ro')).toBeGreaterThan(args.indexOf('--bind'))
    expect(valuesOf(args, '--remount-ro', 1)).toEqual([['/dev'], ['/']])
  })

  it('limit every tmpfs', () => {
    for (const [at] of args.map((arg, n) => [n, arg] as const).filter(([, arg]) => arg === '--tmpfs')) {
      expect(args[at - 2]).toBe('--size')
    }
  })

  it('pass no environment on', () => {
    expect(args).toContain('--clearenv')
    expect(args.indexOf('--clearenv')).toBeLessThan(args.indexOf('--setenv'))
  })

  it('keep the command behind the end of options, word by word', () => {
    expect(args.slice(args.indexOf('--'))).toEqual(['--', 'true', '--version', '$(id)'])
  })

  it('leave /proc out if the host masks it', () => {
    expect(args).toContain('--proc')
    const masked = bwrapArguments({ ...enclosure, privateProc: false })
    expect(masked).not.toContain('--proc')
    // It would write to /proc/sys, which is read-only there.
    expect(masked).not.toContain('--disable-userns')
  })

  it('leave the host name out where it is refused', () => {
    expect(valuesOf(args, '--hostname', 1)).toEqual([['lathe']])
    expect(bwrapArguments({ ...enclosure, ownHostname: false })).not.toContain('--hostname')
  })

  it('always take a filter, and runner scripts when there are some', () => {
    expect(valuesOf(args, '--seccomp', 1)).toEqual([['4']])
    const more = bwrapArguments({ ...enclosure, runners: '/scratch/scripts' })
    expect(valuesOf(more, '--ro-bind', 2)).toContainEqual(['/scratch/scripts', '/opt/lathe/runners'])
  })

  it('let a prestarted program receive its job later, through a folder that exists from the start', () => {
    const waiting = bwrapArguments({ ...enclosure, waits: 'linked' })
    expect(valuesOf(waiting, '--bind', 2)).toEqual([['/scratch/job-1', '/jobs']])
    expect(valuesOf(waiting, '--symlink', 2)).toContainEqual(['jobs/job', '/job'])
    expect(valuesOf(waiting, '--chdir', 1)).toEqual([['/']])
    expect(valuesOf(waiting, '--setenv', 2)).toContainEqual(['LD_PRELOAD', '/opt/lathe/lib/await-arguments.so'])
    expect(args.join(' ')).not.toContain('LD_PRELOAD')
    const loaded = bwrapArguments({ ...enclosure, waits: 'loaded' })
    expect(loaded.join(' ')).not.toContain('LD_PRELOAD')
    expect(valuesOf(loaded, '--symlink', 2)).toContainEqual(['jobs/job', '/job'])
  })

  it('mount what the profile names, and cover what it hides after that', () => {
    const profile = { parts: ['etc/fonts'], hides: ['usr/bin/gs'], env: { SETTINGS: '/job' } }
    const own = bwrapArguments({ ...enclosure, profile })
    expect(valuesOf(own, '--setenv', 2)).toContainEqual(['SETTINGS', '/job'])
    expect(valuesOf(own, '--ro-bind-try', 2)).toEqual([['/roots/a/etc/fonts', '/etc/fonts']])
    expect(valuesOf(own, '--ro-bind', 2)).toEqual([
      ['/roots/a/usr', '/usr'],
      ['/dev/null', '/usr/bin/gs'],
    ])
  })
})
