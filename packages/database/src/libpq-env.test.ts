import { expect, it } from 'vitest'
import { libpqEnv } from './libpq-env.ts'

it('returns the parts of a connection string, unescaped', () => {
  expect(libpqEnv('postgres://ada:p%40ss%2Fword@db.example.org:6543/files?sslmode=disable')).toEqual({
    PGHOST: 'db.example.org',
    PGPORT: '6543',
    PGUSER: 'ada',
    PGDATABASE: 'files',
    PGPASSWORD: 'p@ss/word',
    PGSSLMODE: 'disable',
  })
})

it('supports sockets in a folder, and passes options on', () => {
  const env = libpqEnv('postgres://ada@/files?host=/run/postgresql&options=-c%20work_mem%3D8MB')
  expect(env).toMatchObject({ PGHOST: '/run/postgresql', PGDATABASE: 'files', PGOPTIONS: '-c work_mem=8MB' })
  expect(env).not.toHaveProperty('PGPASSWORD')
})
