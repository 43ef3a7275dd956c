import { type Tool, usualProfile } from '../tool.ts'

/** FFmpeg and ffprobe. */
export const ffmpegTool: Tool = {
  name: 'ffmpeg',
  family: 'av',
  program: 'usr/bin/ffmpeg',
  profile: { ...usualProfile, processes: 256 },
}
