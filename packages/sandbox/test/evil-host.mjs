// Runs in the place of an engine host, with all its rights: looks for secrets, and for somebody to talk to.
import { createSocket } from 'node:dgram'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { open, readFile } from 'node:fs/promises'
import { connect } from 'node:net'

const { wanted, pids, files, tcp, udp, report } = JSON.parse(process.argv[2])
const found = []
const reached = []

const holds = (text) => wanted.some((word) => text.includes(word))

async function searchMemory(pid) {
  const maps = readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')
  await using memory = await open(`/proc/${pid}/mem`, 'r')
  let opened = 0
  for (const line of maps) {
    const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? []
    if (!from) continue
    const length = Math.min(Number.parseInt(to, 16) - Number.parseInt(from, 16), 64 * 1024 ** 2)
    const { buffer, bytesRead } = await memory
      .read(Buffer.alloc(length), 0, length, Number.parseInt(from, 16))
      .catch(() => ({ bytesRead: 0 }))
    opened += bytesRead
    if (bytesRead > 0 && holds(buffer.subarray(0, bytesRead).toString('latin1'))) return true
  }
  if (opened > 0 && pid !== String(process.pid)) found.push(`memory of ${pid} can be read`)
  return false
}

const own = new Set([String(process.pid), String(process.ppid)])
for (const pid of pids ?? readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
  for (const part of ['environ', 'cmdline']) {
    const text = await readFile(`/proc/${pid}/${part}`, 'latin1').catch(() => '')
    // What it is to look for stands in its own command line.
    if (holds(text) && !(part === 'cmdline' && own.has(pid))) found.push(`${part} of ${pid}`)
  }
  if (!own.has(pid) && (await searchMemory(pid).catch(() => false))) found.push(`memory of ${pid}`)
}
for (const file of files) if (holds(await readFile(file, 'latin1').catch(() => ''))) found.push(file)

const dial = (target) =>
  new Promise((done) => {
    const socket = connect(target)
    const end = (by) => {
      socket.destroy()
      done(by)
    }
    socket.once('connect', () => end(true)).once('error', () => end(false))
    setTimeout(() => end(false), 1000)
  })
for (const target of tcp) if (await dial(target)) reached.push(target.path ?? `${target.host}:${target.port}`)
for (const { host, port } of udp) {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  await new Promise((done) => socket.send('hello', port, host, (error) => done(error || reached.push(`udp ${host}`))))
  socket.close()
}
writeFileSync(report, JSON.stringify({ found, reached, uid: process.getuid() }))
process.stdin.resume().once('end', () => process.exit())
