import { useEffect, useRef } from 'react'

const columns = 600
// Larger files take long to decode and much memory.
const largest = 60_000_000

/** The peak of each part of a recording, from 0 to 1. */
async function readPeaks(blob: Blob): Promise<readonly number[]> {
  const context = new OfflineAudioContext(1, 1, 8000)
  const { length, ...sound } = await context.decodeAudioData(await blob.arrayBuffer()).then((decoded) => ({
    length: decoded.length,
    samples: decoded.getChannelData(0),
  }))
  const step = Math.max(1, Math.floor(length / columns))
  return Array.from({ length: Math.min(columns, length) }, (_, column) => {
    let most = 0
    // A few samples of each part are enough.
    const stride = Math.max(1, Math.floor(step / 50))
    for (let n = column * step; n < (column + 1) * step; n += stride)
      most = Math.max(most, Math.abs(sound.samples[n] ?? 0))
    return most
  })
}

/** The waveform of a recording; empty if the browser cannot decode it. */
export function Waveform({ blob }: { readonly blob: Blob }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    let isShown = true
    if (blob.size > largest) return
    readPeaks(blob).then(
      (peaks) => isShown && canvas.current && draw(canvas.current, peaks),
      () => undefined,
    )
    return () => {
      isShown = false
    }
  }, [blob])
  return <canvas ref={canvas} width={columns * 2} height={160} className="h-20 w-full text-accent" />
}

function draw(canvas: HTMLCanvasElement, peaks: readonly number[]): void {
  const context = canvas.getContext('2d')
  if (!context) return
  const { width, height } = canvas
  context.clearRect(0, 0, width, height)
  context.fillStyle = getComputedStyle(canvas).color
  const loudest = Math.max(0.01, ...peaks)
  const step = width / peaks.length
  for (const [n, peak] of peaks.entries()) {
    const tall = Math.max(2, (peak / loudest) * height * 0.95)
    context.fillRect(n * step, (height - tall) / 2, Math.max(1, step - 1), tall)
  }
}
