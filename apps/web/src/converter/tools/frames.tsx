import { useEffect, useRef } from 'react'
import { useBlobAddress } from '../../lib/blob-address.ts'

const count = 10
const width = 1200
const height = 160

/** Frames of a video in equal steps, drawn from left to right. Empty if the browser cannot play it. */
export function Frames({ blob }: { readonly blob: Blob }) {
  const address = useBlobAddress(blob)
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (!address || !canvas.current) return
    const stop = new AbortController()
    drawFrames(canvas.current, address, stop.signal).catch(() => undefined)
    return () => stop.abort()
  }, [address])
  return <canvas ref={canvas} width={width} height={height} className="h-20 w-full bg-sunken" />
}

async function drawFrames(canvas: HTMLCanvasElement, address: string, signal: AbortSignal): Promise<void> {
  const context = canvas.getContext('2d')
  const video = document.createElement('video')
  video.muted = true
  video.preload = 'auto'
  video.playsInline = true
  signal.addEventListener('abort', () => video.removeAttribute('src'))
  video.src = address
  await happens(video, 'loadeddata', signal)
  const step = width / count
  for (let n = 0; n < count && Number.isFinite(video.duration); n += 1) {
    video.currentTime = ((n + 0.5) / count) * video.duration
    await happens(video, 'seeked', signal)
    // The middle of the frame, in the proportions of its place.
    const scale = Math.min(video.videoWidth / step, video.videoHeight / height)
    const [wide, tall] = [step * scale, height * scale]
    const [x, y] = [(video.videoWidth - wide) / 2, (video.videoHeight - tall) / 2]
    context?.drawImage(video, x, y, wide, tall, n * step, 0, step, height)
  }
  video.removeAttribute('src')
  video.load()
}

function happens(video: HTMLVideoElement, name: 'loadeddata' | 'seeked', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    video.addEventListener(name, () => resolve(), { once: true })
    video.addEventListener('error', () => reject(new Error('the browser cannot play it')), { once: true })
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
