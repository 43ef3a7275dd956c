import { isFailure } from '@lathe/domain'
import { describe, expect, it } from 'vitest'
import type { Findings, Plan, PlanRequest, ProcessStep } from '../engine.ts'
import { abilities } from '../pictures/decoded-abilities.ts'
import { pictureLimits } from '../pictures/limits.ts'
import { pillowStep } from '../pictures/pillow-step.ts'
import { policyFor } from '../pictures/policy.ts'
import { magick } from './magick.ts'

function planOf(from: string, to: string, more: Partial<PlanRequest> = {}): Plan {
  const source = { file: `in-0.${from}`, format: from, size: 1000, filename: `../a;rm -rf.${from}` }
  const planned = magick.plan({ operation: 'convert', sources: [source], to, options: {}, ...more })
  if (isFailure(planned)) throw new Error(planned.text)
  return planned
}

const found = (stdout: string, sizes: Findings['sizes'] = {}): Findings => ({ stdout: [stdout], results: [], sizes })

/** The findings after the decoder has written its file. */
const decoded = (file = 'mid-0.tiff'): Findings => found('', { [file]: 1 })

function nextOf(plan: Plan, findings: Findings): Plan {
  const next = plan.next?.(findings)
  if (next === undefined || isFailure(next)) throw new Error(`no plan: ${next?.code} ${next?.text}`)
  return next
}

const commands = ({ steps }: Plan) =>
  steps.map((step) => (step.kind === 'process' ? [step.program, ...step.args].join(' ') : `vips ${step.request.op}`))

const policyOf = (plan: Plan, n = 0) => (plan.steps[n] as ProcessStep).writes?.[0]?.text ?? ''

describe('the plan of a conversion', () => {
  it('looks at the header first, then decodes, then lets libvips do the rest', () => {
    const plan = planOf('bmp', 'jpg', { options: { width: 100 } })
    expect(commands(plan)).toEqual(['magick identify -ping -format %w %h %[colorspace]\\n bmp:in-0.bmp'])
    const next = nextOf(plan, found('640 480\n'))
    expect(commands(next)).toEqual(['magick bmp:in-0.bmp[0] -depth 8 -compress none tiff:mid-0.tiff'])
    const last = nextOf(next, decoded())
    expect(commands(last)).toEqual(['vips convert'])
    expect(last.outputs).toEqual([{ file: 'out-0.jpg', format: 'jpg', source: 0 }])
    const [call] = last.steps
    expect(call).toMatchObject({
      request: { inputs: [{ file: 'mid-0.tiff', format: 'tiff' }], params: { width: 100 } },
    })
  })

  it('transforms with libvips before another program encodes', () => {
    const heic = planOf('jpg', 'heic', { options: { quality: 90 } })
    expect(commands(heic)).toEqual(['vips convert'])
    expect(commands(nextOf(heic, found('')))).toEqual([
      'magick png:ready-0.png -quality 90 -define heic:chroma=444 heic:out-0.heic',
    ])
    expect(commands(nextOf(planOf('png', 'jxl', { options: { lossless: true } }), found('')))[0]).toBe(
      'cjxl ready-0.png out-0.jxl -d 0 -e 4 --num_threads=2',
    )
  })

  it('uses the tools for JPEG XL and camera formats', () => {
    const jxl = planOf('jxl', 'png')
    expect(commands(jxl)).toEqual(['jxlinfo in-0.jxl'])
    expect(commands(nextOf(jxl, found('JPEG XL image, 9x8, lossy')))[0]).toBe(
      'djxl in-0.jxl mid-0.png --bits_per_sample=8 --num_threads=2',
    )
    const raw = planOf('raw', 'tiff', { options: { depth: '16' } })
    expect(commands(raw)).toEqual(['raw-identify -v in-0.raw'])
    expect(commands(nextOf(raw, found('Output size:  9 x 8\n')))[0]).toBe(
      'dcraw_emu -T -w -o 1 -6 -Z mid-0.tiff in-0.raw',
    )
  })

  it('takes the largest size of an icon', () => {
    const next = nextOf(planOf('ico', 'png'), found('16 16\n64 64\n32 32\n'))
    expect(commands(next)[0]).toContain('ico:in-0.ico[1]')
  })

  it('asks once for each of several files', () => {
    const sources = ['bmp', 'tga'].map((format, n) => ({ file: `in-${n}.${format}`, format, size: 1, filename: 'x' }))
    const plan = planOf('bmp', 'png', { sources })
    expect(plan.steps).toHaveLength(2)
    const next = plan.next?.({ stdout: ['1 1\n', '2 2\n'], results: [], sizes: {} })
    expect(next).toMatchObject({ outputs: [{ file: 'out-0.png' }, { file: 'out-1.png', source: 1 }] })
  })
})

describe('a file that a decoder cannot read', () => {
  const scripts = (plan: Plan) => commands(plan).map((line) => line.split(' ').slice(0, 2).join(' '))

  it('is passed to the next decoder if its header or content was not read', () => {
    const afterHeader = nextOf(planOf('dds', 'png'), found(''))
    expect(scripts(afterHeader)).toEqual(['python3 decode.py'])
    const afterPicture = nextOf(nextOf(planOf('dds', 'png'), found('9 9 sRGB\n')), found(''))
    expect(scripts(afterPicture)).toEqual(['python3 decode.py'])
  })

  it('does not end the plan before the last decoder has failed', () => {
    const exit = { code: 1, stderr: 'no' }
    const first = planOf('dds', 'png')
    expect((first.steps[0] as ProcessStep).readExit?.(exit)).toEqual({})
    const last = nextOf(first, found(''))
    expect((last.steps[0] as ProcessStep).readExit?.(exit)).toMatchObject({ code: 'input_damaged' })
    expect(last.next?.(found(''))).toMatchObject({ code: 'input_damaged' })
  })

  it('is brought to sRGB where its colours are none that libvips reads', () => {
    expect(commands(nextOf(planOf('psd', 'png'), found('9 9 Lab\n')))[0]).toContain('-colorspace sRGB')
    expect(commands(nextOf(planOf('psd', 'png'), found('9 9 CMYK\n')))[0]).not.toContain('-colorspace')
  })

  it('is reported as incomplete if only a part was read, and refused with strict', () => {
    const last = nextOf(planOf('tga', 'png'), found(''))
    const plan = nextOf(last, found('frames 1\nincomplete\n', { 'mid-0.tiff': 1 }))
    expect(plan.warnings).toEqual([expect.stringContaining('damaged or incomplete')])
    const strictly = nextOf(planOf('tga', 'png', { options: { strict: true } }), found(''))
    expect(commands(strictly)[0]).toMatch(/ strict$/)
    const raw = planOf('raw', 'png', { options: { strict: true } })
    expect(raw.next?.(found(''))).toMatchObject({ code: 'input_damaged' })
    expect(scripts(nextOf(planOf('raw', 'png'), found('')))).toEqual(['python3 decode.py'])
  })
})

describe('an animation', () => {
  it('keeps its frames if the output format has frames, and warns of their loss otherwise', () => {
    expect(commands(planOf('fli', 'gif'))[0]).toContain('in-0.fli mid-0.webp FLI')
    const still = planOf('fli', 'png')
    expect(commands(still)[0]).toContain('in-0.fli mid-0.tiff FLI')
    expect(nextOf(still, found('frames 7\n', { 'mid-0.tiff': 1 })).warnings[0]).toContain('first of the 7')
    expect(commands(planOf('fli', 'gif', { options: { page: 2 } }))[0]).toContain('mid-0.tiff FLI 1')
  })
})

describe('limits', () => {
  const answer = (stdout: string) => planOf('ppm', 'png').next?.(found(stdout))

  it.each([
    [-1, 'plan'],
    [0, 'plan'],
    [1, 'failure'],
  ])('of pixels, %d beyond, end in a %s', (beyond, kind) => {
    expect(answer(`${pictureLimits.pixels + beyond} 1\n`)).toMatchObject({ kind })
  })

  it.each([
    [-1, 'plan'],
    [0, 'plan'],
    [1, 'failure'],
  ])('of images in a file, %d beyond, end in a %s', (beyond, kind) => {
    expect(answer('9 9\n'.repeat(pictureLimits.frames + beyond))).toMatchObject({ kind })
  })

  it('are named in the failure', () => {
    expect(answer('16384 16384\n')).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('268402689'),
    })
  })

  it('are not checked for an invalid response', () => {
    expect(planOf('heic', 'png').next?.(found(''))).toMatchObject({ code: 'input_damaged' })
  })

  it('of a side are numbers without a unit, which would make them a quadrillion times that', () => {
    const policy = policyOf(planOf('ico', 'png'))
    expect(policy).toMatch(/name="width" value="8192"/)
    expect(policyOf(planOf('bmp', 'png'))).toMatch(/name="height" value="1000000"/)
  })
})

describe('the search for a target size', () => {
  /** A fake encoder whose files grow by 100 bytes per quality step. */
  function search(target: number) {
    const tried: number[] = []
    const probe = planOf('heic', 'heic', { operation: 'compress', options: { target_size: target } })
    let plan = nextOf(nextOf(probe, found('9 9\n')), decoded())
    for (;;) {
      const line = commands(plan).at(-1) ?? ''
      const quality = Number(/-quality (\d+)/.exec(line)?.[1])
      tried.push(quality)
      const next = plan.next?.(found('', { 'out-0.heic': quality * 100 }))
      if (next === undefined || isFailure(next)) return { tried, end: next }
      plan = next
    }
  }

  it('ends with the highest quality that fits, within the rounds allowed', () => {
    const { tried, end } = search(5050)
    expect(end).toBeUndefined()
    expect(tried.at(-1)).toBe(50)
    expect(tried.length).toBeLessThan(11)
  })

  it('refuses what the lowest quality cannot reach', () => {
    expect(search(499).end).toMatchObject({ code: 'unsupported' })
    expect(search(500).end).toBeUndefined()
  })
})

describe('the policy of a run', () => {
  it('denies everything first, then allows the coders of that run, each in its direction', () => {
    const policy = policyOf(nextOf(planOf('bmp', 'jpg'), found('1 1\n')))
    expect(policy).toContain('<policy domain="coder" rights="none" pattern="*"/>')
    expect(policy).toContain('<policy domain="module" rights="none" pattern="*"/>')
    const granted = [...policy.matchAll(/domain="coder" rights="([a-z|]+)" pattern="(\w+)"/g)].map((rule) =>
      rule.slice(1),
    )
    expect(granted).toEqual([
      ['read', 'BMP'],
      ['read', 'PNG'],
      ['read', 'JPEG'],
      ['write', 'TIFF'],
    ])
    expect(policy.indexOf('pattern="*"')).toBeLessThan(policy.indexOf('pattern="BMP"'))
  })

  it('never grants what reads or runs something else, for any pair', () => {
    const forbidden =
      /pattern="(?:(?:URL|HTTPS?|FTP|FILE|MVG|MSL|TXT|TEXT|LABEL|CAPTION|PANGO|EPHEMERAL|FD|VIDEO|VID|PS|EPS|PDF|SVG|MSVG|INLINE|DATA|X|XC|SHOW|WIN|DOT|CLIP|MPC|MIFF|PLASMA|SCREENSHOT|STEGANO|TILE))"/
    for (const { operation, from, to } of abilities) {
      const plan = planOf(from, to, { operation })
      const undecoded = { stdout: [''], results: [{ undecoded: 'in-0' }], sizes: {} }
      const followers = [found('9 9\nJPEG XL image, 9x9\nOutput size: 9 x 9\n'), undecoded].map((one) =>
        plan.next?.(one),
      )
      const plans = [plan, ...followers].flatMap((one) => (one === undefined || isFailure(one) ? [] : [one]))
      const policies = plans.flatMap(({ steps }) => steps.flatMap(({ writes = [] }) => writes.map(({ text }) => text)))
      for (const policy of policies) expect(policy).not.toMatch(forbidden)
    }
  })

  it('has no document type, which has made ImageMagick skip a policy', () => {
    expect(policyFor({ read: [], write: [] })).toMatch(/^<policymap>\n/)
  })
})

describe('an image beyond a limit', () => {
  it('is refused with the limit and its value', () => {
    const pillow = pillowStep({ file: 'in-0.gif', out: 'mid-0.tiff', plugins: ['GIF'], isStrict: false })
    const text = 'The image has 300000000 pixels; the limit is 268402689.'
    const stderr = 'beyond pixels 300000000 268402689\n'
    expect(pillow.readExit?.({ code: 3, stderr })).toMatchObject({ code: 'limit_exceeded', text })
    const [exr] = planOf('exr', 'png').steps as ProcessStep[]
    expect(exr?.readExit?.({ code: 1, stderr: 'magick: width or height exceeds limit' })).toMatchObject({
      code: 'limit_exceeded',
      text: expect.stringContaining('more than 1000000 pixels'),
    })
  })
})
