const sampleRate = 16_000
const bytesPerSample = 2

/** A WAV file with one channel of 16-bit samples at 16 kHz (RIFF, WAVE_FORMAT_PCM). */
export function wavFile(samples: Uint8Array): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(44 + samples.length)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(36 + samples.length, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate * bytesPerSample, 28)
  file.writeUInt16LE(bytesPerSample, 32)
  file.writeUInt16LE(8 * bytesPerSample, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(samples.length, 40)
  file.set(samples, 44)
  return new Uint8Array(file)
}
