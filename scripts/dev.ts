/** `npm run dev`: api, worker and scheduler together on the services of this checkout, until Ctrl-C. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { migrate } from '@lathe/database'
import { devEnv } from './dev-env.ts'

const root = new URL('..', import.meta.url).pathname
const apps = ['api', 'worker', 'scheduler'] as const
const colours = { api: 36, worker: 35, scheduler: 33 } as const

const env = devEnv()
await migrate(env.DATABASE_URL ?? '').catch((error) => {
  console.error(`The database cannot be prepared: ${error.message}. Is it up? npm run services -- up`)
  process.exit(1)
})

if (!existsSync(`${root}apps/web/dist/index.html`)) {
  console.log('building the web app')
  await once(spawn(process.execPath, [`${root}scripts/web-build.ts`], { cwd: root, stdio: 'inherit' }), 'exit')
}

if (!existsSync(`${root}apps/guide/dist/index.html`)) {
  console.log('building the guide')
  await once(spawn(process.execPath, [`${root}scripts/docs-build.ts`], { cwd: root, stdio: 'inherit' }), 'exit')
}

const children = apps.map((name) => ({ name, child: start(name) }))
console.log(
  `api: http://${env.HTTP_HOST ?? '127.0.0.1'}:${env.HTTP_PORT ?? 8080}/  reference: /docs  guide: /guide  stop: Ctrl-C`,
)

// A terminal sends Ctrl-C to the whole process group. A second signal does no harm, and is needed if only this process
// got the first.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stopAll)
const ended = await Promise.race(
  children.map(async ({ name, child }) => ({ name, code: (await once(child, 'exit'))[0] })),
)
console.log(`${ended.name} ended (${ended.code ?? 'by signal'})`)
stopAll()
await Promise.all(children.map(({ child }) => (hasEnded(child) ? undefined : once(child, 'exit'))))
process.exit(typeof ended.code === 'number' ? ended.code : 0)

function start(name: (typeof apps)[number]): ChildProcess {
  const child = spawn(process.execPath, [`${root}apps/${name}/src/main.ts`], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const label = `\u001b[${colours[name]}m${name.padEnd(9)}\u001b[0m`
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) createInterface({ input: stream }).on('line', (line) => console.log(`${label} ${line}`))
  }
  return child
}

function stopAll(): void {
  for (const { child } of children) if (!hasEnded(child)) child.kill('SIGTERM')
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}
