import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectFormat, detectionBytes } from './detect.ts'
import { lookCloser, wantsCloserLook } from './look-closer.ts'
import { resolveFormat } from './resolve.ts'
import { accessTo, bytesOf } from './testing/bytes-of.ts'
import { oleFile } from './testing/ole-file.ts'

const kinds: [ext: string, names: string[], classId?: string][] = [
  ['doc', ['1Table', 'WordDocument']],
  ['doc', ['WORDDOCUMENT']],
  ['xls', ['Workbook']],
  ['xls', ['Book']],
  ['ppt', ['Current User', 'PowerPoint Document']],
  ['ppt', ['PP40']],
  ['msg', ['__nameid_version1.0', '__properties_version1.0']],
  ['vsd', ['\x05SummaryInformation', 'VisioDocument']],
  ['pub', ['Contents', 'Escher', 'Quill']],
  ['pub', ['Contents'], '\x01\x12\x02\0\0\0\0\0\0\xc0\0\0\0\0\0\x46'],
  ['hwp', ['BodyText', 'DocInfo', 'FileHeader']],
  ['sdw', ['StarWriterDocument']],
  ['sdc', ['StarCalcDocument']],
  ['sdd', ['StarDrawDocument3']],
  ['sda', ['StarDrawDocument3'], '\xa0\x05\x89\x2e\xbd\x85\xd1\x11\x89\xd0\0\x80\x29\xe4\xb0\xb1'],
  ['smf', ['StarMathDocument']],
  ['wps', ['CONTENTS', 'MatOST']],
  ['wps', ['CONTENTS'], '\xb2\x5a\xa4\x0e\x0a\x9e\xd1\x11\xa4\x07\0\xc0\x4f\xb9\x32\xba'],
  ['wpd', ['PerfectOffice_MAIN']],
  ['qpw', ['NativeContent_MAIN']],
  ['mpp', ['   114', 'Props']],
  ['msi', ['a'], '\x84\x10\x0c\0\0\0\0\0\xc0\0\0\0\0\0\0\x46'],
  ['thumbsdb', ['1', 'Catalog']],
]

describe('compound files', () => {
  it.each(kinds)('of the kind %s are recognized by the content of their root', (ext, names, classId) => {
    const content = oleFile({ names, ...(classId && { classId }) })
    expect(detectFormat(bytesOf(content))).toMatchObject({ ext, conclusive: true })
  })

  it.each(kinds)(
    'of the kind %s are recognized when their directory is after the first bytes',
    async (ext, names, classId) => {
      const content = bytesOf(oleFile({ names, sectorsBefore: 1000, ...(classId && { classId }) }))
      const head = content.subarray(0, detectionBytes)
      expect(detectFormat(head)).toEqual({ ext: 'ole', conclusive: false })
      expect(wantsCloserLook(head)).toBe(true)
      const access = accessTo(content)
      expect(await lookCloser(head, access)).toMatchObject({ ext, conclusive: true })
      expect(access.readsSoFar()).toBeLessThan(10)
    },
  )

  it('of Word are templates if they are named so', () => {
    const detected = detectFormat(bytesOf(oleFile({ names: ['WordDocument'] })))
    expect(resolveFormat({ detected, filename: 'letter.dot' })).toEqual({ ext: 'dot' })
    expect(resolveFormat({ detected, filename: 'letter.doc' })).toEqual({ ext: 'doc' })
    expect(resolveFormat({ detected, filename: 'letter.xls' })).toEqual({ ext: 'doc' })
  })

  it('are not taken for what is embedded in them', async () => {
    const content = bytesOf(oleFile({ names: ['__properties_version1.0'], inner: ['WordDocument', '1Table'] }))
    expect(detectFormat(content)?.ext).toBe('msg')
    const letter = bytesOf(oleFile({ names: ['ObjectPool', 'WordDocument'], inner: ['Workbook'] }))
    expect(detectFormat(letter)?.ext).toBe('doc')
  })

  it('of an unknown program leave it to the name', async () => {
    const content = bytesOf(oleFile({ names: ['Something'] }))
    expect(await lookCloser(content, accessTo(content))).toEqual({ ext: 'ole', conclusive: false })
  })

  it('never make the parser loop, whatever their tables contain', async () => {
    const start = bytesOf(oleFile({ names: ['a', 'b', 'c', 'd', 'e'], sectorsBefore: 3 }))
    const change = fc.tuple(fc.nat(start.length - 1), fc.nat(255))
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 40 }), async (changes) => {
        const content = start.slice()
        for (const [at, value] of changes) if (at > 7) content[at] = value
        const access = accessTo(content)
        await lookCloser(content, access)
        expect(access.readsSoFar()).toBeLessThan(20_000)
      }),
      { numRuns: 300 },
    )
  })
})
