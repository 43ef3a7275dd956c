// Runs inside a sandbox in the place of an engine, as one in an attacker's hands would, and tells what it could do.
// The worker judges the answer; a sandbox in which any of this works is not served from.
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'

const request = JSON.parse(process.argv[2])
const { outside, ports, sockets, namespaces, attempts, fileBytes, forks } = request

const facts = {
  uid: process.getuid(),
  env: Object.keys(process.env).sort(),
  environs: attempt(readEnvirons),
  status: attempt(() => readFileSync('/proc/self/status', 'utf8')),
  interfaces: attempt(() =>
    [...readFileSync('/proc/net/dev', 'utf8').matchAll(/^ *([^\s:]+):/gm)].map(([, name]) => name),
  ),
  processes: attempt(() => readdirSync('/proc').filter((name) => /^\d+$/.test(name))),
  namespaces: Object.fromEntries(
    namespaces.map((name) => [name, attempt(() => readlinkSync(`/proc/self/ns/${name}`))]),
  ),
  devices: attempt(() => readdirSync('/dev').sort()),
  reads: Object.fromEntries(
    [...outside, '/etc/shadow', '/sys/kernel', '/dev/mem', '/dev/kmsg', '/proc/kcore', '/run'].map(tryRead),
  ),
  writes: Object.fromEntries(
    ['/', '/usr', '/etc', '/opt/lathe', '/opt/lathe/bin', '/dev', '/proc/sys', '/var/tmp'].map(tryWrite),
  ),
  links: Object.fromEntries(outside.map(tryLink)),
  job: tryWrite('/job')[1],
  tmp: tryWrite('/tmp')[1],
  oversize: attempt(() => writeFileSync('/tmp/lathe-oversize', Buffer.alloc(fileBytes + 1)) ?? 'written'),
  connects: Object.fromEntries(await Promise.all(targets().map(tryConnect))),
  datagram: await tryDatagram(),
  lookup: await tryLookup(),
  calls: tryCalls(),
  forks: forks === 0 ? 0 : tryForks(),
}
process.stdout.write(`${JSON.stringify(facts)}\n`)
process.exit()

function attempt(action) {
  try {
    return action()
  } catch (error) {
    return { refused: error.code ?? String(error) }
  }
}

/** The names of all variables of all processes that can be seen. */
function readEnvirons() {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const environs = pids.map((pid) => attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8')))
  const names = environs.filter((text) => typeof text === 'string').flatMap((text) => text.split('\0'))
  return [...new Set(names.filter(Boolean).map((line) => line.split('=')[0]))].sort()
}

function tryRead(path) {
  const folder = attempt(() => readdirSync(path) && 'read')
  return [path, folder === 'read' ? folder : attempt(() => readFileSync(path) && 'read')]
}

function tryWrite(folder) {
  return [folder, attempt(() => writeFileSync(`${folder}/lathe-probe`, 'x') ?? 'written')]
}

function tryLink(path, n) {
  symlinkSync(path, `/job/link-${n}`)
  return [path, attempt(() => writeFileSync(`/job/link-${n}`, 'x') ?? 'written')]
}

function targets() {
  return [
    ['tcp4', { host: '127.0.0.1', port: ports.tcp4 }],
    ['tcp6', { host: '::1', port: ports.tcp6 }],
    ['path', { path: sockets.path }],
    ['abstract', { path: `\0${sockets.abstract}` }],
  ]
}

function tryConnect([name, target]) {
  return new Promise((resolve) => {
    const socket = connect(target)
    socket.setTimeout(500, () => resolve([name, 'timeout']))
    socket.on('connect', () => resolve([name, 'connected']))
    socket.on('error', (error) => resolve([name, error.code ?? String(error)]))
  })
}

function tryDatagram() {
  return new Promise((resolve) => {
    const socket = createSocket('udp4')
    socket.on('error', (error) => resolve(error.code ?? String(error)))
    socket.send('x', ports.udp, '127.0.0.1', (error) => resolve(error ? (error.code ?? String(error)) : 'sent'))
  })
}

async function tryLookup() {
  const resolver = new Resolver({ timeout: 300, tries: 1 })
  resolver.setServers([`127.0.0.1:${ports.udp}`])
  return resolver.resolve4('canary.example').then(
    () => 'answered',
    (error) => error.code ?? String(error),
  )
}

/** System calls that no library makes for us: perl makes any. The answer is the error's number, or 'done'. */
function tryCalls() {
  const script = `for (@ARGV) {
    my ($name, $number, @args) = split /,/;
    my $got = syscall($number + 0, map { $_ + 0 } @args);
    print "$name ", $got == -1 ? $! + 0 : 'done', "\\n";
    exit if $name eq 'clone' && $got == 0;
  }`
  const words = attempts.map(({ name, number, args }) => [name, number, ...args].join())
  const { stdout } = spawnSync('/usr/bin/perl', ['-e', `$| = 1; ${script}`, ...words], {
    encoding: 'utf8',
    timeout: 5000,
  })
  return Object.fromEntries(
    (stdout ?? '')
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name, answer]) => [name, answer === 'done' ? answer : Number(answer)]),
  )
}

/** How many processes can be had beside this one. */
function tryForks() {
  const script = `my @pids;
    while (@pids < ${forks}) { my $pid = fork; last unless defined $pid; if (!$pid) { sleep 60; exit } push @pids, $pid }
    print scalar @pids; kill 'KILL', @pids; waitpid $_, 0 for @pids`
  const { stdout } = spawnSync('/usr/bin/perl', ['-e', script], { encoding: 'utf8', timeout: 5000 })
  return stdout === '' ? { refused: 'no answer' } : Number(stdout)
}
