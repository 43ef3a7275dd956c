import type { ProcessStep } from '../engine.ts'
import { pdfStepLimits } from './limits.ts'

// Pillow writes page by page, so a thousand pages need no more memory than the largest one.
const script = `import glob, re, sys
from PIL import Image, TiffImagePlugin

Image.MAX_IMAGE_PIXELS = None


def main():
    pattern, target = sys.argv[1:3]
    names = sorted(glob.glob(pattern), key=lambda name: int(re.findall(r"\\d+", name)[-1]))
    with TiffImagePlugin.AppendingTiffWriter(target, new=True) as writer:
        for done, name in enumerate(names, 1):
            with Image.open(name) as page:
                page.save(writer, format="TIFF", compression="tiff_adobe_deflate", dpi=page.info.get("dpi"))
            writer.newFrame()
            print(done / len(names), flush=True)
`

/** Joins the single-page TIFFs that poppler wrote into one TIFF. */
export function joinTiffStep({ pages, out }: { pages: string; out: string }): ProcessStep {
  return {
    kind: 'process',
    profile: 'pdf',
    program: 'python3',
    args: ['join_tiff.py', pages, out],
    outputs: [out],
    modules: { join_tiff: script },
    limits: pdfStepLimits,
    readProgress: (line) => Number(line) || undefined,
  }
}
