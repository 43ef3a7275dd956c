/**
 * A hostile tenant against a normal one on a whole stack, on loopback: `npm run abuse -- --seed=1`. `--only=readers`
 * runs a single attack, and `--quick` or CI=true a small version. Each attack starts and stops several times. The
 * normal tenant's measurements during the attack are compared with those alone in between, and with those at an api
 * that is not attacked.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type AppProcess, startStack } from '@lathe/testing'
import { conclude, readSeed, readWords } from '../command.ts'
import { type Attack, attacks, type Weapons } from './attacks.ts'
import { judge, type Phase, renderTable, type Trial, type Verdict } from './judge.ts'
import { createForms, createNormalTenant, type NormalTenant } from './normal-tenant.ts'
import { startAttacker } from './run-attack.ts'
import { watchApi } from './watch-api.ts'

const words = readWords(['seed', 'only'], ['quick'])
const isQuick = words.quick === true || process.env.CI === 'true'
const seed = readSeed(words.seed)
// How often an attack starts, how long the normal tenant measures alone and during it, and how long it waits first.
const sizes = isQuick
  ? { waves: 2, aloneMs: 700, duringMs: 1000, settleMs: 800 }
  : { waves: 4, aloneMs: 2500, duringMs: 5000, settleMs: 2000 }
const leastRounds = 8
// The load of the machine may still change during a trial, so a trial with findings is repeated; a real weakness stays.
const mostTries = 3

await using stack = await startStack({
  apis: 2,
  // The default limits of a new installation.
  env: { RATE_LIMIT_PER_KEY: '300', RATE_LIMIT_PER_ADDRESS: '120' },
})
await using attacker = await startAttacker()
const [attacked, spared] = stack.apps('api')
if (!attacked || !spared) throw new Error('the stack has no apis')
const [normal, hostile] = [await stack.createKey(), await stack.createKey()]
const tenantAt = ({ url }: AppProcess) => createNormalTenant({ url, key: normal.key, fileBytes: 256 * 1024 })
const tenant = tenantAt(attacked)
const elsewhere = tenantAt(spared)
const weapons = await makeWeapons()
// The first requests are slower than the rest.
await measure(2000, [tenant, elsewhere])

/** Runs rounds of the tenants in turn for a while; returns the measurements of each. */
async function measure(ms: number, tenants: readonly NormalTenant[]): Promise<readonly Phase[]> {
  const phases = tenants.map((): Phase => ({ uploads: [], downloads: [] }))
  const end = performance.now() + ms
  for (let rounds = 0; rounds < leastRounds || performance.now() < end; rounds += 1) {
    for (const [n, one] of tenants.entries()) await one.round(phases[n] as Phase)
  }
  return phases
}

async function makeWeapons(): Promise<Weapons> {
  const owner = createNormalTenant({ url: stack.url, key: hostile.key, fileBytes: 16_000_000 })
  const [large] = await createForms(stack.url, hostile.key, 1)
  if (!large) throw new Error('there is no form')
  const { result } = await owner.send(large)
  const forms = await createForms(stack.url, hostile.key, isQuick ? 150 : 500)
  return { url: stack.url, link: result.url ?? '', forms, seed, ...(await makeEndlessTask()) }
}

/** Makes a task whose file is never uploaded, and a key that may read it. */
async function makeEndlessTask(): Promise<Pick<Weapons, 'key' | 'taskId'>> {
  const { key } = await stack.createKey()
  const [form] = await createForms(stack.url, key, 1)
  if (!form) throw new Error('there is no form')
  return { key, taskId: new URL(form.url).pathname.split('/')[3] ?? '' }
}

let places = 0

async function tryAttack({ name, counts: [full, quick] }: Attack): Promise<Trial> {
  tenant.failures.length = 0
  const phases = { alone: [] as Phase[], during: [] as Phase[], elsewhere: [] as Phase[] }
  let reported = ''
  const watch = watchApi(attacked as AppProcess)
  const stayAlone = async () => phases.alone.push(...(await measure(sizes.aloneMs, [tenant])))
  for (let wave = 0; wave < sizes.waves; wave += 1) {
    await stayAlone()
    // Each wave has its own address and key, so that it does not use up the limit of the next.
    places += 1
    const fresh = { ...weapons, ...(await makeEndlessTask()) }
    attacker.begin({ name, count: isQuick ? quick : full, from: `127.0.1.${places}`, weapons: fresh })
    await pause(sizes.settleMs)
    const [here, there] = await measure(sizes.duringMs, [tenant, elsewhere])
    if (here) phases.during.push(here)
    if (there) phases.elsewhere.push(there)
    reported = await attacker.stop()
    await pause(sizes.settleMs / 4)
  }
  await stayAlone()
  return { attack: name, reported, ...phases, failures: [...tenant.failures], ...(await watch.stop()) }
}

const chosen = attacks.filter(({ name }) => name.includes(words.only ?? ''))
const verdicts: Verdict[] = []
for (const attack of chosen) {
  let verdict: Verdict
  let tries = 0
  do {
    tries += 1
    verdict = judge(await tryAttack(attack))
    console.log(`${attack.name}, try ${tries}: ${verdict.row.slice(1).join(', ')}`)
  } while (verdict.faults.length > 0 && tries < mostTries)
  verdicts.push(verdict)
}

console.log(renderTable(verdicts.map(({ row }) => row)))
for (const { attack, faults } of verdicts) for (const fault of faults) console.log(`FAILED ${attack}: ${fault}`)
const failed = verdicts.filter(({ faults }) => faults.length > 0).length
conclude(verdicts.length - failed, failed)
