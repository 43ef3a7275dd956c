import { expect, it } from 'vitest'
import { cleanDump } from './schema.ts'

it('keeps the schema and drops what differs between machines', () => {
  const dump = [
    '\\restrict 5Yq0hX',
    '-- Dumped from database version 15.14 (Debian 15.14-0+deb12u1)',
    'SET statement_timeout = 0;',
    "SELECT pg_catalog.set_config('search_path', '', false);",
    '',
    '',
    '',
    'CREATE TABLE public.tasks (',
    '    id bytea NOT NULL',
    ');',
    '',
    '\\unrestrict 5Yq0hX',
  ].join('\n')
  expect(cleanDump(dump).split('\n').slice(2)).toEqual([
    'CREATE TABLE public.tasks (',
    '    id bytea NOT NULL',
    ');',
    '',
  ])
})
