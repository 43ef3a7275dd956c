/** Exit codes of FFmpeg that mean a crash by a signal. They are listed because its own codes go up to 255 too. */
export const ffmpegCrashes: readonly number[] = [132, 134, 135, 136, 137, 139, 159]
