import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import type { RealFile } from './collect-files.ts'

/** The largest of a kind that a real file comes with, and which file that is. */
export interface Largest {
  readonly value: number
  readonly file: string
}

export type ZipMeasure = 'entries' | 'unpackedBytes' | 'ratio' | 'depth'

// Archives within archives are opened four levels deep, which is more than any document has.
const script = `import io, json, sys, zipfile

def measure(file, depth):
    found = {"entries": 0, "unpackedBytes": 0, "packedBytes": 0, "depth": depth}
    with zipfile.ZipFile(file) as archive:
        for info in archive.infolist():
            found["entries"] += 1
            found["unpackedBytes"] += info.file_size
            found["packedBytes"] += info.compress_size
            if depth < 4 and info.file_size < 2 ** 26:
                data = archive.read(info)
                if data[:4] == b"PK\\x03\\x04":
                    inner = measure(io.BytesIO(data), depth + 1)
                    for name in ("entries", "unpackedBytes"):
                        found[name] += inner[name]
                    found["depth"] = max(found["depth"], inner["depth"])
    return found

best = {}
for line in sys.stdin:
    path, name = line.rstrip("\\n").split("\\t")
    try:
        with open(path, "rb") as file:
            if file.read(2) != b"PK":
                continue
        found = measure(path, 0)
    except Exception:
        continue
    found["ratio"] = found["unpackedBytes"] / max(found.pop("packedBytes"), 1)
    for key, value in found.items():
        if value > best.get(key, {"value": -1})["value"]:
            best[key] = {"value": value, "file": name}
print(json.dumps(best))
`

/** Measures the archives among some files: how many parts they have, how large they get and how deep they go. */
export async function measureZips(files: readonly RealFile[]): Promise<Partial<Record<ZipMeasure, Largest>>> {
  const python = spawn('python3', ['-c', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  python.stdin.end(files.map(({ path, name }) => `${path}\t${name}\n`).join(''))
  return JSON.parse((await text(python.stdout)) || '{}')
}
