/** Exits of FFmpeg that are signals of a crash: its own codes go up to 255 too. */
export const ffmpegCrashes: readonly number[] = [132, 134, 135, 136, 137, 139, 159]
