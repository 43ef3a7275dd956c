import { failure } from '@lathe/domain'
import type { ProcessStep, SourceFile } from '../engine.ts'
import { synthesizeLimits } from './limits.ts'

/**
 * Plays a score into a wave file, with the sound font that Debian installs as the default one. No audio or MIDI device
 * is opened, and no shell: FluidSynth renders as fast as it can and ends.
 */
export function synthesizeStep({ file }: SourceFile, output: string): ProcessStep {
  return {
    kind: 'process',
    profile: 'ffmpeg',
    program: 'fluidsynth',
    args: [...['-n', '-i', '-q', '-r', '44100', '-T', 'wav', '-O', 's16'], ...['-F', output], file],
    outputs: [output],
    limits: synthesizeLimits,
    // FluidSynth says nothing of its progress; encoding what it made takes about as long.
    weight: 1,
    readExit: ({ stderr }) => failure('input_damaged', { detail: stderr }),
  }
}
