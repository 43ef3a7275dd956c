// A runner for tests: it does what its request says, good or evil.
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

if (process.argv[2] === 'prepare') {
  writeFileSync('/job/note', 'made before')
  process.exit(0)
}

const instance = randomUUID()
const held = []
let served = 0
const say = (value) => process.stdout.write(`${JSON.stringify(value)}\n`)

const deeds = {
  where: (id) => say({ id, ok: true, result: { instance } }),
  copy: (id, dir, { from, to }) => {
    writeFileSync(`${dir}/${to}`, readFileSync(`${dir}/${from}`))
    say({ id, progress: 0.5 })
    say({ id, ok: true, result: { warnings: [] } })
  },
  list: (id, dir) => say({ id, ok: true, result: { files: readdirSync(dir).sort() } }),
  fail: (id, _dir, { code }) => say({ id, ok: false, code, text: 'It\nis so.', detail: 'inner' }),
  crash: () => process.abort(),
  exit: () => process.exit(3),
  unserved: () => process.exit(75),
  stale: (id) => (served > 1 ? process.exit(75) : say({ id, ok: true, result: { instance } })),
  begunAfterAll: (id) => {
    process.stdout.write(`${JSON.stringify({ id, progress: 0.5 })}\n`, () => process.exit(75))
  },
  hang: () => {},
  spin: () => {
    for (;;);
  },
  orphan: () =>
    spawn('setsid', ['sh', '-c', 'trap "" TERM HUP INT; while :; do sleep 1; done & wait'], { detached: true }),
  garbage: () => process.stdout.write('what?\n'),
  // Prints what is in its folder as if it were its answer, and stays or ends.
  parrot: (id, dir, { stays }) => {
    const said = readFileSync(`${dir}/in-0`, 'latin1').replaceAll('"id":1,', `"id":${id},`)
    process.stderr.write(readFileSync(`${dir}/in-1`))
    process.stdout.write(Buffer.from(said, 'latin1'), () => stays || process.exit(0))
  },
  huge: () => process.stdout.write('x'.repeat(3 * 1024 * 1024)),
  wrongId: (id) => say({ id: id + 1, ok: true, result: {} }),
  twice: (id) => {
    say({ id, ok: true, result: {} })
    say({ id, ok: true, result: {} })
  },
  memory: () => {
    for (;;) held.push(Buffer.alloc(16 * 1024 * 1024, 1))
  },
  disk: (_id, dir) => {
    for (let n = 0; ; n += 1) writeFileSync(`${dir}/file-${n}`, Buffer.alloc(1024 * 1024, 1))
  },
  grow: (id, _dir, { bytes }) => {
    held.push(Buffer.alloc(bytes, 1))
    say({ id, ok: true, result: { instance } })
  },
  prepared: (id) => {
    const note = readFileSync('/opt/lathe/runners/prepared/note', 'utf8')
    try {
      writeFileSync('/opt/lathe/runners/prepared/note', 'changed')
      say({ id, ok: true, result: { note, changed: true } })
    } catch (error) {
      say({ id, ok: true, result: { note, changed: error.code } })
    }
  },
  swap: (id, dir) => {
    try {
      renameSync(dir, '/job/away')
      symlinkSync('/etc', dir)
      say({ id, ok: true, result: { swapped: true } })
    } catch (error) {
      say({ id, ok: true, result: { swapped: error.code } })
    }
  },
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, dir, request } = JSON.parse(line)
    served += 1
    deeds[request.deed](id, dir, request)
  })
  .on('close', () => process.exit(0))
say({ ready: true })
