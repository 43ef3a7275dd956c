import { GiB, type Tool, usualProfile } from '../tool.ts'

/**
 * ImageMagick, the JPEG XL tools and LibRaw, for images that libvips cannot handle. ImageMagick's own settings are
 * hidden. Each run has its policy in the job folder, where no other file has that name because Lathe names the inputs.
 * Without the list of delegates, there is no program to pass a file to.
 */
export const magickTool: Tool = {
  name: 'magick',
  family: 'image',
  program: 'usr/bin/magick',
  profile: { ...usualProfile, env: { MAGICK_CONFIGURE_PATH: '/job' }, memoryBytes: 2 * GiB },
}
