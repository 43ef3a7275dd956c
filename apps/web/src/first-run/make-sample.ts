const [width, height] = [1200, 800]

/** Draws a PNG that is large enough for its conversion to show a result. */
export async function makeSample(): Promise<File> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('the browser cannot draw')
  const sky = pen.createLinearGradient(0, 0, 0, height)
  sky.addColorStop(0, '#2b3a67')
  sky.addColorStop(0.55, '#e8985e')
  sky.addColorStop(1, '#ffe8c2')
  pen.fillStyle = sky
  pen.fillRect(0, 0, width, height)
  pen.fillStyle = '#fff4dc'
  pen.beginPath()
  pen.arc(width * 0.7, height * 0.5, 90, 0, 2 * Math.PI)
  pen.fill()
  for (const [n, colour] of ['#7d5a5a', '#59424b', '#33292f'].entries()) drawHills(pen, n, colour)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (!blob) throw new Error('the browser cannot write a PNG')
  return new File([blob], 'sample.png', { type: 'image/png' })
}

function drawHills(pen: CanvasRenderingContext2D, n: number, colour: string): void {
  const base = height * (0.6 + 0.12 * n)
  pen.fillStyle = colour
  pen.beginPath()
  pen.moveTo(0, height)
  for (let x = 0; x <= width; x += 8) {
    pen.lineTo(x, base + 40 * Math.sin(x / (130 - 25 * n) + 2 * n) + 15 * Math.sin(x / 37 + n))
  }
  pen.lineTo(width, height)
  pen.fill()
}
