import { useMemo } from 'react'
import { encode } from 'uqr'

/** A text as a QR code. Always dark on light, because many readers support nothing else. */
export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const { path, size } = useMemo(() => {
    const code = encode(text, { border: 2 })
    const dots = code.data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { path: dots.join(''), size: code.size }
  }, [text])
  return (
    <svg viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} className="size-44 rounded-control bg-white">
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  )
}
