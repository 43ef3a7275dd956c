import type { SeccompVariation } from './seccomp/policy.ts'

/** What one engine sees and may use. Data only; the evil engine is run in every profile before a worker serves. */
export interface EngineProfile {
  readonly name: string
  /** What it sees of the engine root beside /usr, as paths below it; what a root does not have is left out. */
  readonly parts: readonly string[]
  /** Programs it must not find, as paths below the root: other engines' that it would hand files to. */
  readonly hides: readonly string[]
  /** Variables it gets beyond those of every engine: constants of ours. */
  readonly env?: Readonly<Record<string, string>>
  /** Processes and threads. */
  readonly processes: number
  /** The most memory any of its steps may ask for. */
  readonly memoryBytes: number
  /** Size of its /tmp, which counts as memory. */
  readonly tmpBytes: number
  /** Cores it may keep busy, all its processes together. */
  readonly cpus: number
  readonly seccomp: SeccompVariation
}

const MiB = 1024 ** 2
const GiB = 1024 ** 3

// Libraries and fonts are found through these; the rest of /etc is no engine's business.
const etc = ['etc/alternatives', 'etc/fonts', 'etc/group', 'etc/ld.so.cache', 'etc/passwd']
// Without it every process that draws text scans all fonts first.
const fontCache = 'var/cache/fontconfig'

/** A program of the root that needs nothing special: what a step without a profile gets. */
const plain: EngineProfile = {
  name: 'plain',
  parts: [...etc, fontCache, 'opt/lathe/bin'],
  hides: [],
  processes: 64,
  memoryBytes: 4 * GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

/** The picture runner: Node with sharp and pdf-lib. */
const vips: EngineProfile = {
  name: 'vips',
  parts: [...etc, fontCache, 'opt/lathe/bin', 'opt/lathe/node_modules'],
  hides: ['usr/bin/gs'],
  processes: 64,
  memoryBytes: GiB,
  tmpBytes: 256 * MiB,
  cpus: 4,
  seccomp: {},
}

// PostScript is a program: no engine but its own may find who would run it.
const ghostscriptPrograms = ['usr/bin/gs']

/** FFmpeg and ffprobe. */
const ffmpeg: EngineProfile = {
  ...plain,
  name: 'ffmpeg',
  hides: ghostscriptPrograms,
  processes: 256,
}

/**
 * ImageMagick, the JPEG XL tools and LibRaw: pictures beyond libvips. ImageMagick's own settings stay out of sight:
 * each run brings its policy along in the job folder, where nothing else bears its name because inputs are named by us,
 * and without the list of delegates there is no program to hand a file to.
 */
const magick: EngineProfile = {
  ...plain,
  name: 'magick',
  hides: ghostscriptPrograms,
  env: { MAGICK_CONFIGURE_PATH: '/job' },
  memoryBytes: 2 * GiB,
}

/** qpdf, poppler and MuPDF. */
const pdf: EngineProfile = { ...plain, name: 'pdf', hides: ghostscriptPrograms, memoryBytes: 2 * GiB }

/** Ghostscript, alone: the one profile whose program runs what it is given. */
const ghostscript: EngineProfile = {
  ...plain,
  name: 'ghostscript',
  parts: [...plain.parts, 'etc/ghostscript', 'var/lib/ghostscript'],
  memoryBytes: 2 * GiB,
}

/** OCRmyPDF with Tesseract; it drives Ghostscript itself. */
const ocr: EngineProfile = { ...ghostscript, name: 'ocr', tmpBytes: 2 * GiB, memoryBytes: 4 * GiB, processes: 256 }

/** LibreOffice, warm. */
const office: EngineProfile = {
  ...plain,
  name: 'office',
  parts: [...plain.parts, 'etc/libreoffice', 'var/lib/libreoffice'],
  hides: ghostscriptPrograms,
  processes: 256,
  tmpBytes: GiB,
}

/**
 * Chromium, which opens pages of strangers. Its own sandbox cannot be built inside this one, so this one is all there is:
 * each page gets a new one. It speaks TCP to the loopback device of its own network namespace, where nobody listens but
 * the forwarder beside it; datagrams, and with them names, QUIC and WebRTC, are refused by the filter, which names all
 * calls it may make.
 */
const browser: EngineProfile = {
  ...plain,
  name: 'browser',
  hides: ghostscriptPrograms,
  processes: 256,
  memoryBytes: 2 * GiB,
  tmpBytes: 512 * MiB,
  seccomp: { socketFamilies: ['unix', 'inet'], datagrams: false, only: 'browser' },
}

/** Pandoc, and Python with lxml and olefile: books, marked-up text and mail. */
const markup: EngineProfile = { ...plain, name: 'markup', hides: ghostscriptPrograms, memoryBytes: 2 * GiB, cpus: 2 }

/** Every profile there is. */
export const profiles = {
  plain,
  vips,
  ffmpeg,
  magick,
  pdf,
  ghostscript,
  ocr,
  office,
  browser,
  markup,
} as const satisfies Record<string, EngineProfile>

export type ProfileName = keyof typeof profiles

/** The names of them all. */
export const profileNames = Object.keys(profiles) as readonly ProfileName[]
