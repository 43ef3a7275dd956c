import { expect, it } from 'vitest'
import { imageLabels } from './image-labels.ts'

const given = { image: 'lathe-worker', version: '1.2.3', revision: 'abc', source: undefined }

it('names an image, its version and its commit', () => {
  const labels = imageLabels(given)
  expect(labels).toMatchObject({
    'org.opencontainers.image.title': 'lathe-worker',
    'org.opencontainers.image.version': '1.2.3',
    'org.opencontainers.image.revision': 'abc',
  })
  expect(labels).not.toHaveProperty('org.opencontainers.image.source')
})

it('names the repository of a release, which the registry links to', () => {
  const source = 'https://git.example.org/lathe'
  expect(imageLabels({ ...given, source })['org.opencontainers.image.source']).toBe(source)
})
