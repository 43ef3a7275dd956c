import { describe, expect, it } from 'vitest'
import { readChanges } from './changes.ts'
import { exiftoolArgs } from './exiftool-args.ts'
import { ffmetadata } from './ffmpeg-plan.ts'

const argsOf = (options: Record<string, unknown>, writer: 'iptc' | 'pdf' | 'itemlist' = 'iptc') => {
  const changes = readChanges(options)
  if (!changes) throw new Error('nothing to change')
  return exiftoolArgs({ file: 'in-0.jpg', out: 'out-0.jpg', writer, format: 'jpg' }, changes).split('\n')
}

describe('the argument file of ExifTool', () => {
  it.each(['-execute', '@/etc/passwd', '#[CSTR]-if', '<=/etc/passwd', '-o', '%d%f', '=x', '> y', '|id'])(
    'holds %s only behind a tag',
    (title) => {
      const own = argsOf({ title }).filter((line) => line.includes(title) && line !== '-o')
      expect(own).toEqual([`-XMP-dc:Title=${title}`, `-IPTC:ObjectName=${title}`])
    },
  )

  it('contains no line breaks or other control characters, even if they passed validation', () => {
    for (const one of ['a\nb', 'a\rb', 'a\0b', 'a\u2028b', 'a\u0085b']) expect(() => argsOf({ title: one })).toThrow()
  })

  it('has a line for each keyword, and none for empty ones', () => {
    const lines = argsOf({ keywords: ' a,,b , ' })
    expect(lines.filter((line) => line.includes('Keywords'))).toEqual(['-IPTC:Keywords=a', '-IPTC:Keywords=b'])
  })

  it('gives the date in the time of the place, and in UTC where a format wants that', () => {
    const date = '2024-05-31T23:30+05:30'
    expect(argsOf({ date })).toEqual(
      expect.arrayContaining(['-EXIF:DateTimeOriginal=2024:05:31 23:30:00', '-EXIF:OffsetTimeOriginal=+05:30']),
    )
    expect(argsOf({ date }, 'itemlist')).toContain('-QuickTime:CreateDate=2024:05:31 18:00:00')
    expect(argsOf({ date: '2024-05-31' }, 'pdf')).toContain('-PDF:CreateDate=2024:05:31 00:00:00')
  })

  it('ends with our own file names', () => {
    expect(argsOf({ title: 'x' }).slice(-4)).toEqual(['-o', 'out-0.jpg', 'in-0.jpg', ''])
  })
})

it('nothing is to change without a value', () => {
  expect([{}, { remove: 'none' } as const, { keywords: ' , ' }, { title: '  ' }].map(readChanges)).toEqual(
    Array.from({ length: 4 }, () => undefined),
  )
})

it('the metadata file of FFmpeg escapes what means something there, and has each name once', () => {
  const text = ffmetadata([
    ['title', '[STREAM]\n;a=b#c\\'],
    ['TITLE', 'old'],
  ])
  expect(text).toBe(';FFMETADATA1\ntitle=[STREAM]\\\n\\;a\\=b\\#c\\\\\n')
})
