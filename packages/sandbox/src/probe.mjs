// Runs inside a sandbox as an engine in an attacker's hands would, and tells what it could do.
// The worker judges the answer; a sandbox in which any of this works is not served from.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces } from 'node:os'

const { canary, port, abstractSocket, namespaces } = JSON.parse(process.argv[2])

const facts = {
  uid: process.getuid(),
  env: Object.keys(process.env).sort(),
  status: attempt(() => readFileSync('/proc/self/status', 'utf8')),
  interfaces: Object.keys(networkInterfaces()),
  processes: attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name))),
  namespaces: Object.fromEntries(
    namespaces.map((name) => [name, attempt(() => readlinkSync(`/proc/self/ns/${name}`))]),
  ),
  canary: attempt(() => readFileSync(canary, 'utf8') && 'read'),
  outside: attempt(() => readdirSync('/').sort()),
  writes: Object.fromEntries(
    ['/', '/usr', '/etc', '/opt/lathe', '/opt/lathe/bin', '/dev', '/proc/sys', '/var/tmp'].map(tryWrite),
  ),
  job: tryWrite('/job')[1],
  tmp: tryWrite('/tmp')[1],
  unshare: run('unshare', ['-U', 'true']),
  mount: run('mount', ['-t', 'tmpfs', 'none', '/tmp']),
  tcp: await tryConnect({ host: '127.0.0.1', port }),
  abstract: await tryConnect({ path: `\0${abstractSocket}` }),
}
process.stdout.write(`${JSON.stringify(facts)}\n`)

function attempt(action) {
  try {
    return action()
  } catch (error) {
    return { refused: error.code ?? String(error) }
  }
}

function tryWrite(folder) {
  return [folder, attempt(() => writeFileSync(`${folder}/lathe-probe`, 'x') ?? 'written')]
}

function run(program, args) {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore' })
  return error ? error.code : status
}

function tryConnect(target) {
  return new Promise((resolve) => {
    const socket = connect(target)
    socket.setTimeout(2000, () => resolve('timeout'))
    socket.on('connect', () => resolve('connected'))
    socket.on('error', (error) => resolve(error.code))
  }).then((outcome) => outcome)
}
