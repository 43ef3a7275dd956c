import { GiB, type Tool, usualProfile } from '../tool.ts'

/**
 * ImageMagick, the JPEG XL tools and LibRaw: pictures beyond libvips. ImageMagick's own settings stay out of sight:
 * each run brings its policy along in the job folder, where nothing else bears its name because inputs are named by us,
 * and without the list of delegates there is no program to hand a file to.
 */
export const magickTool: Tool = {
  name: 'magick',
  family: 'image',
  program: 'usr/bin/magick',
  profile: { ...usualProfile, env: { MAGICK_CONFIGURE_PATH: '/job' }, memoryBytes: 2 * GiB },
}
