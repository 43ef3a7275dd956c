import { describe, expect, it } from 'vitest'
import { createFakeCgroups } from '../test/fake-cgroups.ts'
import { openHomeIn } from './cgroup.ts'

const root = '/cg/lathe.service'
const limits = { memoryBytes: 1000, processes: 20, cpus: 1.5 }
const open = (fake: ReturnType<typeof createFakeCgroups>) =>
  openHomeIn({ kind: 'v2', folder: root }, 'worker-x', fake.files)

describe('a cgroup of version 2', () => {
  it('limits memory without swap, processes and CPU time', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    const home = await open(fake)
    const cgroup = await home.create(limits)
    const [join = ''] = cgroup.joins
    const own = join.replace('/cgroup.procs', '')
    expect(cgroup.joins).toHaveLength(1)
    expect(own.startsWith(`${root}/lathe-worker-x/`)).toBe(true)
    expect(
      ['memory.max', 'memory.swap.max', 'memory.oom.group', 'pids.max', 'cpu.max'].map((file) =>
        fake.value(`${own}/${file}`),
      ),
    ).toEqual(['1000', '0', '1', '20', '150000 100000'])
    expect(home).toMatchObject({ kind: 'v2', limitsCpu: true })
  })

  it('is created below the worker after the worker itself has moved to a leaf', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [41, 42])
    await open(fake)
    expect(fake.groups.get(root)?.pids).toEqual([])
    expect(fake.groups.get(`${root}/lathe-own`)?.pids).toEqual([41, 42])
  })

  it('has no CPU limit if that controller is missing, and reports it', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids'], [7])
    const home = await open(fake)
    await home.create(limits)
    expect(home.limitsCpu).toBe(false)
  })

  it('is unavailable if memory or processes cannot be limited', async () => {
    await expect(open(createFakeCgroups(root, ['pids', 'cpu'], []))).rejects.toMatchObject({ code: 'ENOENT' })
    await expect(open(createFakeCgroups(root, [], [7]))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('accepts a new memory limit while it is used, and reports when that was exceeded', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    const cgroup = await (await open(fake)).create(limits)
    const own = cgroup.joins[0]?.replace('/cgroup.procs', '') ?? ''
    await cgroup.setMemory(5000)
    expect(fake.value(`${own}/memory.max`)).toBe('5000')
    expect(await cgroup.ranOutOfMemory()).toBe(false)
    fake.groups.get(own)?.values.set('memory.events', 'oom 1\noom_kill 1\n')
    expect(await cgroup.ranOutOfMemory()).toBe(true)
  })

  it('reports its memory without the page cache', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    const cgroup = await (await open(fake)).create(limits)
    expect(await cgroup.memoryInUse()).toBeUndefined()
    const own = cgroup.joins[0]?.replace('/cgroup.procs', '') ?? ''
    fake.groups.get(own)?.values.set('memory.stat', 'anon 700\nfile 90000\nkernel 5\nshmem 20\n')
    expect(await cgroup.memoryInUse()).toBe(720)
  })

  it('F: has a low CPU weight while its engine yields, and none is lowered while all running engines yield', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    const home = await open(fake)
    const [one, other] = [await home.create(limits), await home.create(limits)]
    const weightOf = ({ joins: [join = ''] }: typeof one) => fake.value(join.replace('cgroup.procs', 'cpu.weight'))
    const homeWeight = () => fake.value(`${root}/lathe-worker-x/cpu.weight`)
    expect(homeWeight()).toBe('100')
    await one.beginWork(true)
    expect([weightOf(one), homeWeight()]).toEqual(['2', '20'])
    await other.beginWork(false)
    expect(homeWeight()).toBe('100')
    await other.endWork()
    expect(homeWeight()).toBe('20')
    await one.endWork()
    expect(homeWeight()).toBe('100')
    await one.beginWork(false)
    expect([weightOf(one), homeWeight()]).toEqual(['100', '100'])
    await other.beginWork(true)
    await one.destroy()
    expect(homeWeight()).toBe('20')
  })

  it('is removed later if the kernel still holds it', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    let isHeld = false
    const removeFolder = (folder: string) =>
      isHeld ? Promise.reject(Object.assign(new Error('busy'), { code: 'EBUSY' })) : fake.files.removeFolder(folder)
    const home = await openHomeIn({ kind: 'v2', folder: root }, 'worker-x', { ...fake.files, removeFolder })
    const cgroup = await home.create(limits)
    const own = cgroup.joins[0]?.replace('/cgroup.procs', '') ?? ''
    isHeld = true
    await cgroup.destroy()
    expect(fake.groups.has(own)).toBe(true)
    isHeld = false
    await expect.poll(() => fake.groups.has(own), { timeout: 10_000 }).toBe(false)
  })

  it('kills all its processes at once and leaves no folder', async () => {
    const fake = createFakeCgroups(root, ['memory', 'pids', 'cpu'], [])
    const home = await open(fake)
    const cgroup = await home.create(limits)
    await fake.files.write(cgroup.joins[0] ?? '', '4194000')
    await cgroup.destroy()
    await home[Symbol.asyncDispose]()
    expect([...fake.groups.keys()]).toEqual([root])
  })
})
