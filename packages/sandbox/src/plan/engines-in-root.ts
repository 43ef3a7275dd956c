import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunnerName, StepProfile } from '@lathe/engines'

/** An engine as the steps of a plan name it: a runner, or the profile of a program. */
export type EngineName = RunnerName | StepProfile

/** The program without which an engine does nothing. Node and its libraries, which the vips runner uses, are in every root. */
const mainPrograms: Readonly<Record<Exclude<EngineName, 'vips'>, string>> = {
  browser: 'usr/bin/chromium-headless-shell',
  ffmpeg: 'usr/bin/ffmpeg',
  ghostscript: 'usr/bin/gs',
  magick: 'usr/bin/magick',
  markup: 'usr/bin/pandoc',
  ocr: 'usr/bin/ocrmypdf',
  office: 'usr/lib/libreoffice/program/soffice.bin',
  pdf: 'usr/bin/qpdf',
}

/** The engines that a root goes without: those of images hold one family each. */
export async function enginesNotIn(root: string): Promise<readonly EngineName[]> {
  const engines = Object.keys(mainPrograms) as (keyof typeof mainPrograms)[]
  const isThere = await Promise.all(engines.map((engine) => canRun(join(root, mainPrograms[engine]))))
  return engines.filter((_, place) => !isThere[place])
}

// A link in a root leads to a place in it, which is another one here: that it is there is enough.
async function canRun(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found !== undefined && (found.isSymbolicLink() || (found.mode & 0o111) !== 0)
}
