// Speech that a program can hear: each letter is a tone. Neighbours come from two banks of frequencies in turn, so that two
// equal letters are two tones, whatever the network does to the length of each.
const letters = "abcdefghijklmnopqrstuvwxyz0123456789 .,'"
const lowestHz = 400
const stepHz = 40
const toneSeconds = 0.08
/** Ends each speech: where sound stops, the network makes up more of the last tone. */
const endHz = 240

const frequencyOf = (symbol: number, bank: number): number => lowestHz + (2 * symbol + bank) * stepHz
const endTone = 2 * letters.length
const frequencies = [...Array.from({ length: endTone }, (_, index) => lowestHz + index * stepHz), endHz]

export type Speech = { id: string; words: { text: string; frequencies: number[] }[]; toneSeconds: number }

/** Lower case only, letters that have a tone. */
export function toSpeech(id: string, text: string): Speech {
  let bank = 0
  const toneOf = (letter: string) => {
    const symbol = letters.indexOf(letter)
    if (symbol < 0) throw new Error(`No tone for ${letter}`)
    bank = 1 - bank
    return frequencyOf(symbol, bank)
  }
  const words = text.split(' ').map((word, index) => ({
    text: word,
    frequencies: [...(index === 0 ? word : ` ${word}`)].map(toneOf),
  }))
  words.at(-1)?.frequencies.push(endHz, endHz)
  return { id, words, toneSeconds }
}

/** The text that the samples of a recording hold, which may be of several speeches. Silence is no letter. */
export function hear(samples: Float32Array, sampleRate: number): string {
  const window = Math.round(sampleRate * 0.03)
  const hop = Math.round(sampleRate * 0.01)
  const heard: { tone: number; count: number }[] = []
  for (let start = 0; start + window <= samples.length; start += hop) {
    const tone = toneIn(samples.subarray(start, start + window), sampleRate)
    const latest = heard.at(-1)
    if (latest?.tone === tone) latest.count += 1
    else heard.push({ tone, count: 1 })
  }
  // Shorter ones are the changes from one tone to the next.
  const tones = heard.filter(({ tone, count }) => tone >= 0 && count >= 4).map(({ tone }) => tone)
  const speeches: string[] = ['']
  for (const [index, tone] of tones.entries()) {
    if (tone === tones[index - 1]) continue
    if (tone === endTone) speeches.push('')
    else speeches[speeches.length - 1] += letters[tone >> 1] ?? ''
  }
  return speeches.filter((speech) => speech !== '').join(' ')
}

/** The index of the strongest frequency; -1 for silence. */
function toneIn(samples: Float32Array, sampleRate: number): number {
  const energy = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
  // Less is what the network makes up where nothing has come.
  if (energy < 0.03) return -1
  let best = -1
  let bestPower = 0
  for (const [index, frequency] of frequencies.entries()) {
    const power = goertzel(samples, frequency / sampleRate)
    if (power > bestPower) [best, bestPower] = [index, power]
  }
  return best
}

/** How strong one frequency, in cycles a sample, is (Goertzel's algorithm). */
function goertzel(samples: Float32Array, frequency: number): number {
  const factor = 2 * Math.cos(2 * Math.PI * frequency)
  let [previous, before] = [0, 0]
  for (const sample of samples) [previous, before] = [sample + factor * previous - before, previous]
  return previous * previous + before * before - factor * previous * before
}
