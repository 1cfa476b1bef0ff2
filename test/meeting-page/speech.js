/** A voice made of tones, one for each letter. `onWords` gets what a caption would show meanwhile. */
export function speaker({ onWords }) {
  let context
  let destination

  function open() {
    if (context) return
    context = new AudioContext()
    destination = context.createMediaStreamDestination()
  }

  const until = (seconds) =>
    new Promise((resolve) => setTimeout(resolve, Math.max(0, (seconds - context.currentTime) * 1000)))

  return {
    stream: () => {
      open()
      return destination.stream
    },
    /** `speech`: `{ id, words: [{ text, frequencies }], toneSeconds }`. */
    say: async ({ id, words, toneSeconds }) => {
      open()
      await context.resume()
      const oscillator = context.createOscillator()
      const gain = context.createGain()
      gain.gain.value = 0.5
      oscillator.connect(gain).connect(destination)
      let at = context.currentTime + 0.05
      oscillator.start(at)
      const ends = words.map(({ frequencies }) => {
        for (const frequency of frequencies) {
          oscillator.frequency.setValueAtTime(frequency, at)
          at += toneSeconds
        }
        return at
      })
      oscillator.stop(at)
      for (const [index, end] of ends.entries()) {
        await until(end)
        const said = words.slice(0, index + 1).map(({ text }) => text)
        onWords({ id, text: said.join(' '), isFinal: index === words.length - 1 })
      }
    },
  }
}
