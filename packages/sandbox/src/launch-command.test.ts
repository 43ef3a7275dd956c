import { describe, expect, it } from 'vitest'
import { launchCommand } from './launch-command.ts'

const launch = {
  joins: ["/cg/it's", '/cg/b;id'],
  closes: [],
  identity: { uid: 7, gid: 8 },
  hardLimits: {},
  fileBytes: 99,
  dataBytes: 98,
  builder: '/usr/bin/bwrap',
  bwrap: ['--', 'x', '"; id'],
}

describe('the launch command', () => {
  const { args } = launchCommand(launch)

  it('hands paths and arguments over as parameters, never as shell text', () => {
    expect(args[1]).not.toMatch(/cg|id|99/)
    expect(args.slice(2, 6)).toEqual(['sandbox', '2', "/cg/it's", '/cg/b;id'])
    expect(args.slice(-3)).toEqual(['--', 'x', '"; id'])
  })

  it('drops to the given uid, then limits, then builds the sandbox', () => {
    const order = ['/usr/bin/setpriv', '/usr/bin/prlimit', '/usr/bin/bwrap'].map((program) => args.indexOf(program))
    expect(order).toEqual([...order].sort((a, b) => a - b))
    expect(args).toContain('--reuid=7')
    expect(args).toContain('--regid=8')
    expect(args).toContain('--clear-groups')
    expect(args).toContain('--no-new-privs')
    expect(args).toContain('--fsize=99:99')
    expect(args).toContain('--data=98:98')
    expect(args).toContain('--core=0:0')
  })

  it('asks for no limit above the worker’s own', () => {
    const { args: own } = launchCommand({ ...launch, hardLimits: { nproc: 1000, nofile: 256, fsize: 1_000_000 } })
    expect(own).toContain('--nproc=1000:1000')
    expect(own).toContain('--nofile=256:256')
    expect(own).toContain('--fsize=99:99')
  })

  it('closes inherited descriptors, in a shell that can', () => {
    const { program, args: own } = launchCommand({ ...launch, closes: [5, 251] })
    expect(program).toBe('/bin/bash')
    expect(own.slice(0, 2)).toEqual(['--norc', '-c'])
    expect(own[2]?.startsWith('exec 5>&-; exec 251>&-; ')).toBe(true)
    expect(launchCommand({ ...launch, closes: [5] }).program).toBe('/bin/sh')
  })

  it('keeps its user when the worker is not root', () => {
    const { args: own } = launchCommand({ ...launch, identity: undefined, joins: [] })
    expect(own.some((arg) => arg.startsWith('--reuid'))).toBe(false)
    expect(own).toContain('--no-new-privs')
    expect(own[3]).toBe('0')
  })
})
