import { defineProcess } from '../define.ts'

export const transcribe = defineProcess({
  name: 'transcribe',
  summary: 'Transcribe speech',
  description:
    'Writes down the speech in audio and video: as text, as subtitles, or as JSON with the time and confidence of every word. It knows US English only, and makes mistakes.',
  inputs: { files: 'each' },
  output: { usual: 'txt' },
})
