import { describe, expectTypeOf, it } from 'vitest'
import type { JobHandle, NewJob } from './jobs.ts'
import type { Lathe } from './lathe.ts'

declare const lathe: Lathe
declare const id: string
declare const ids: readonly string[]
const photo = { operation: 'import/url', url: 'https://example.com/photo.jpg' } as const

// The compiler checks these calls; none of them runs.
const calls = {
  names: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        small: { operation: 'convert', input: 'photo', output_format: 'webp', options: { width: 320 } },
        link: { operation: 'export/url', input: ['photo', 'small'] },
      },
      tag: 'photos',
    }),
  ids: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        one: { operation: 'convert', input: id, output_format: 'webp' },
        several: { operation: 'export/url', input: [id, 'photo'] },
        list: { operation: 'export/url', input: ids },
      },
    }),
  any: (job: NewJob<string>) => lathe.jobs.create(job),
  misspelled: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        // @ts-expect-error: no task has this name.
        small: { operation: 'convert', input: 'phtoo', output_format: 'webp' },
      },
    }),
  misspelledNextToId: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        one: { operation: 'convert', input: id, output_format: 'webp' },
        // @ts-expect-error: no task has this name.
        small: { operation: 'convert', input: 'phtoo', output_format: 'webp' },
      },
    }),
  misspelledInList: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        // @ts-expect-error: no task has this name.
        link: { operation: 'export/url', input: [id, 'photo', 'phtoo'] },
      },
    }),
  missing: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        // @ts-expect-error: a conversion needs an input.
        small: { operation: 'convert', output_format: 'webp' },
      },
    }),
  ofAnImport: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        // @ts-expect-error: an import has no input.
        other: { operation: 'import/url', url: 'https://example.com', input: 'photo' },
      },
    }),
  unknownField: () =>
    lathe.jobs.create({
      tasks: {
        photo,
        // @ts-expect-error: there is no such field.
        small: { operation: 'convert', input: 'photo', output_fromat: 'webp' },
      },
    }),
}

describe('a job', () => {
  it('knows the names of its tasks', () => {
    type Handle = Awaited<ReturnType<typeof calls.names>>
    expectTypeOf<Handle>().toEqualTypeOf<JobHandle<'photo' | 'small' | 'link'>>()
    expectTypeOf<Parameters<Handle['files']>[0]>().toEqualTypeOf<'photo' | 'small' | 'link' | undefined>()
    expectTypeOf<Awaited<ReturnType<typeof calls.any>>>().toEqualTypeOf<JobHandle>()
  })
})
