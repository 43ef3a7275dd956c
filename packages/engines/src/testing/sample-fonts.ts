import type { PlanBench } from '@lathe/testing'

const script = `import sys
from fontTools import subset
from fontTools.ttLib import TTCollection, TTFont
kind = sys.argv[1]
path = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf" if kind == "ttf" else "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc"
font = TTFont(path, fontNumber=0)
cutter = subset.Subsetter()
cutter.populate(text="Lathe 0123")
cutter.subset(font)
if kind == "ttc":
    font.save("one.otf")
    collection = TTCollection()
    collection.fonts = [TTFont("one.otf"), TTFont("one.otf")]
    collection.save("a.ttc")
else:
    font.save("a." + kind)`

/** A font with a few letters, a subset of one in the engine root. */
export async function makeFont(bench: PlanBench, format: string): Promise<Buffer> {
  const file = `a.${format}`
  const { outputs, end } = await bench.tool('python3', ['-c', script, format], { outputs: [file] })
  const made = outputs[file]
  if (made === undefined) throw new Error(`no sample of ${format}: ${JSON.stringify(end)}`)
  return made
}
