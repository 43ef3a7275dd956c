import { change, convert, type Golden, merge } from '../golden.ts'

const photo = { width: 640, height: 480 }
const small = { width: 200, height: 150 }
const frames = { width: 120, height: 90, pages: 4 }

// A photo to every output format: its size stays the same.
const written = ['png', 'webp', 'avif', 'gif', 'tiff', 'jp2', 'jxl', 'heic'].map((to) =>
  convert('photo-40k.jpg', to, { ...photo, pages: 1 }),
)
const rare = ['bmp', 'psd', 'tga', 'exr', 'hdr', 'dds', 'ppm', 'pgm', 'pbm', 'pam', 'pcx'].map((to) =>
  convert('photo.tiff', to, small),
)

// 640 x 480 is 4:3, which determines the other side.
const resized: readonly Golden[] = [
  convert('photo-40k.jpg', 'png', { width: 320, height: 240 }, { width: 320 }),
  convert('photo-40k.jpg', 'webp', { width: 160, height: 120 }, { height: 120 }),
  convert('photo-40k.jpg', 'jpg', { width: 100, height: 75 }, { width: 100, height: 100, fit: 'inside' }),
  convert('photo-40k.jpg', 'png', { width: 133, height: 100 }, { width: 100, height: 100, fit: 'outside' }),
  convert('photo-40k.jpg', 'png', { width: 100, height: 100 }, { width: 100, height: 100, fit: 'cover' }),
  convert('photo-40k.jpg', 'png', { width: 90, height: 200 }, { width: 90, height: 200, fit: 'fill' }),
  convert('photo.tiff', 'bmp', { width: 100, height: 75 }, { width: 100 }),
  convert('photo.tiff', 'tga', { width: 50, height: 150 }, { width: 50, height: 150, fit: 'fill' }),
  convert('bars.bmp', 'png', { width: 80, height: 45 }, { width: 80 }),
  // An icon is at most 256 pixels per side.
  convert('photo-40k.jpg', 'ico', { width: 256, height: 192 }),
]

const turned: readonly Golden[] = [
  convert('photo-40k.jpg', 'png', { width: 480, height: 640 }, { rotate: 90 }),
  convert('photo-40k.jpg', 'webp', photo, { rotate: 180 }),
  convert('photo-40k.jpg', 'png', { width: 480, height: 640 }, { rotate: 270 }),
  // The image is rotated by its orientation first: 320 x 200 is shown as 200 x 320.
  convert('rotated-exif.jpg', 'png', { width: 200, height: 320 }),
  convert('rotated-exif.jpg', 'webp', { width: 320, height: 200 }, { rotate: 90 }),
  convert('rotated-exif.jpg', 'bmp', { width: 200, height: 320 }),
]

const read: readonly Golden[] = [
  convert('halves.dng', 'jpg', { width: 160, height: 120 }),
  convert('halves.xcf', 'png', { width: 160, height: 120 }),
  convert('bars.bmp', 'jpg', { width: 160, height: 90 }),
  convert('photo.avif', 'jpg', { width: 320, height: 240 }),
  convert('photo.webp', 'png', photo),
]

const filled: readonly Golden[] = [
  convert('alpha.png', 'jpg', small, { background: 'black' }),
  convert('alpha.png', 'jpg', small, { background: 'white' }),
  convert('alpha.png', 'bmp', small, { background: 'navy' }),
  convert('alpha.png', 'webp', small),
]

// 240 x 120 at 72 dpi.
const drawn: readonly Golden[] = [
  convert('text.svg', 'png', { width: 240, height: 120 }),
  convert('text.svg', 'png', { width: 480, height: 240 }, { density: 144 }),
  convert('text.svg', 'jpg', { width: 60, height: 30 }, { width: 60 }),
]

const animated: readonly Golden[] = [
  convert('animated.gif', 'webp', frames),
  convert('animated.webp', 'gif', frames),
  convert('animated.gif', 'webp', { width: 60, height: 45, pages: 4 }, { width: 60 }),
  change('crop', 'animated.gif', { width: 40, height: 30, pages: 4 }, { x: 10, y: 10, width: 40, height: 30 }),
]

const cropped: readonly Golden[] = [
  change('crop', 'photo-40k.jpg', { width: 200, height: 100 }, { x: 10, y: 20, width: 200, height: 100 }),
  change('crop', 'photo-40k.jpg', { width: 540, height: 430 }, { x: 100, y: 50 }),
  change('crop', 'alpha.png', { width: 50, height: 60 }, { x: 75, y: 45, width: 50, height: 60 }),
  change('crop', 'photo.webp', { width: 1, height: 1 }, { x: 639, y: 479, width: 1, height: 1 }),
]

const compressed: readonly Golden[] = [
  change('compress', 'photo-100k.jpg', { width: 1024, height: 768 }, { quality: 40 }),
  change('compress', 'alpha.png', small),
  change('compress', 'photo.webp', photo, { quality: 30 }),
  change('compress', 'animated.gif', frames, { colours: 16 }),
]

const merged: readonly Golden[] = [
  merge(['photo-40k.jpg', 'alpha.png'], 'gif', { ...photo, pages: 2 }),
  merge(
    ['alpha.png', 'photo-40k.jpg', 'text.svg'],
    'gif',
    { width: 60, height: 50, pages: 3 },
    { width: 60, height: 50 },
  ),
  // A pixel is three quarters of a point.
  merge(['photo-40k.jpg', 'alpha.png'], 'pdf', { pages: 2 }),
  convert('pages.tiff', 'pdf', { pages: 4 }),
]

/** Goldens with images as input. */
export const pictureGoldens: readonly Golden[] = [
  ...written,
  ...rare,
  ...resized,
  ...turned,
  ...read,
  ...filled,
  ...drawn,
  ...animated,
  ...cropped,
  ...compressed,
  ...merged,
]
