import { expect, it } from 'vitest'
import { insertColumns } from './insert-columns.ts'

it('derives columns, record and values from one list of fields', () => {
  expect(insertColumns({ id: 'hex', createdAt: 'timestamptz', dependsOn: 'hexes' })).toEqual({
    names: 'id, created_at, depends_on',
    record: '"id" text, "createdAt" timestamptz, "dependsOn" json',
    values: `decode("id", 'hex'), "createdAt", array(select decode(one, 'hex') from json_array_elements_text("dependsOn") one)`,
  })
})
