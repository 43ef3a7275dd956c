import { type Failure, failure } from '@lathe/domain'
import type { ProcessStep, StepExit } from '../engine.ts'
import { magickStepLimits, pillowSeconds } from './decoder-limits.ts'
import { pictureLimits } from './limits.ts'

/** The word that the script prints for a file that it could not read completely. */
export const incompleteMark = 'incomplete'

const beyondLimits = 3

// We choose the plugin, and the script checks sizes before it decodes anything. Values of telescopes and light probes,
// which are not gray levels, are scaled to the range of gray levels.
const script = `import signal, sys
from PIL import Image, ImageFile

Image.MAX_IMAGE_PIXELS = None
# Every plugin is loaded now; only those that are named for a file may open it.
Image.init()

# Some plugins search a damaged file for hours. What is whole takes seconds.
def stop(*_):
    print("took too long", file=sys.stderr)
    sys.exit(1)

def beyond(what, value, limit):
    if value > int(limit):
        print("beyond", what, value, limit, file=sys.stderr)
        sys.exit(${beyondLimits})

def start(file, plugins, pixels):
    image = Image.open(file, formats=plugins.split(","))
    beyond("pixels", image.size[0] * image.size[1], pixels)
    return image

def shades(image):
    low, high = image.getextrema()
    if image.mode == "I" and low >= 0 and high < 256:
        return image.convert("L")
    low, high = (0, 1) if low >= 0 and high <= 1 else (0, 255) if low >= 0 and high <= 255 else (low, high)
    scale = 255 / (high - low) if high > low else 0
    return image.convert("F").point(lambda value: value * scale - low * scale).convert("L")

def plain(image):
    if image.mode in ("1", "L", "LA", "RGB", "RGBA", "CMYK", "I;16"):
        return image
    if image.mode in ("I", "F"):
        return shades(image)
    if image.mode.startswith("I;16"):
        return image.convert("I").convert("I;16")
    if image.has_transparency_data:
        return image.convert("RGBA")
    return image.convert("RGB")

def still(image, out, page):
    if page != "0":
        image.seek(int(page))
    image.load()
    made = plain(image)
    made.info.pop("transparency", None)
    made.save(out, format="TIFF", icc_profile=image.info.get("icc_profile"))

def moving(image, out, frames, total):
    count = getattr(image, "n_frames", 1)
    beyond("frames", count, frames)
    beyond("pixels of all frames", count * image.size[0] * image.size[1], total)
    times = []
    for n in range(count):
        image.seek(n)
        times.append(int(image.info.get("duration") or 100))
    image.seek(0)
    image.save(out, format="WEBP", save_all=True, lossless=True, quality=0, method=0, duration=times, loop=0)

def main():
    file, out, plugins, page, pixels, frames, total, mode = sys.argv[1:9]
    signal.signal(signal.SIGALRM, stop)
    signal.alarm(${pillowSeconds})

    def read():
        with start(file, plugins, pixels) as image:
            if out.endswith(".webp"):
                moving(image, out, frames, total)
            else:
                still(image, out, page)
            try:
                print("frames", getattr(image, "n_frames", 1), flush=True)
            except Exception:
                pass

    try:
        read()
    except Exception:
        if mode == "strict":
            raise
        ImageFile.LOAD_TRUNCATED_IMAGES = True
        read()
        with Image.open(out) as made:
            if made.convert("RGB").getextrema() == ((0, 0),) * 3:
                raise
        print("${incompleteMark}")
`

/** A run of Pillow. */
export interface PillowRun {
  readonly file: string
  /** A TIFF for one image, a WebP for all frames. */
  readonly out: string
  readonly plugins: readonly string[]
  /** Counted from 1. */
  readonly page?: number
  readonly isStrict: boolean
}

/** Decodes an image with a Pillow plugin. The output has the number of frames, and whether parts are missing. */
export function pillowStep({ file, out, plugins, page = 1, isStrict }: PillowRun): ProcessStep {
  const limits = [pictureLimits.pixels, pictureLimits.frames, pictureLimits.animationPixels].map(String)
  return {
    kind: 'process',
    profile: 'magick',
    program: 'python3',
    args: ['decode.py', file, out, plugins.join(), String(page - 1), ...limits, isStrict ? 'strict' : 'tolerant'],
    outputs: [out],
    modules: { decode: script },
    limits: magickStepLimits,
    capture: true,
    readExit,
  }
}

function readExit({ code, stderr }: StepExit): Failure | undefined {
  if (code > 128) return undefined
  const detail = `pillow: exit ${code}\n${stderr.slice(-2000)}`
  if (code !== beyondLimits) return failure('input_damaged', { detail })
  const [, what, value, limit] = /^beyond ([a-z ]+) (\d+) (\d+)$/m.exec(stderr) ?? []
  const text = what && `The image has ${value} ${what}; the limit is ${limit}.`
  return failure('limit_exceeded', { ...(text && { text }), detail })
}
