import { expect, it } from 'vitest'
import { createPathTable, trimSlashes } from './paths.ts'

function example() {
  const table = createPathTable()
  table.add('GET', '/v1/tasks/:id')
  table.add('DELETE', '/v1/tasks/:id')
  table.add('POST', '/v1/tasks/:id/cancel')
  return table
}

it('names the methods of a path, with or without a slash at its end', () => {
  expect(example().methodsOf('/v1/tasks/7')).toEqual(['DELETE', 'GET'])
  expect(example().methodsOf('/v1/tasks/7/')).toEqual(['DELETE', 'GET'])
  expect(example().methodsOf('/v1/tasks/7/cancel')).toEqual(['POST'])
})

it('knows no method of a path that does not exist', () => {
  for (const path of ['/', '/v1/tasks', '/v1/tasks/', '/v1/tasks/7/x', '/v1.tasks/7']) {
    expect(example().methodsOf(path)).toEqual([])
  }
})

it.each([
  ['/v1/jobs', '/v1/jobs'],
  ['/v1/jobs/', '/v1/jobs'],
  ['https://a.example///', 'https://a.example'],
  ['///', ''],
  ['', ''],
])('%j becomes %j', (path, trimmed) => {
  expect(trimSlashes(path)).toBe(trimmed)
})
