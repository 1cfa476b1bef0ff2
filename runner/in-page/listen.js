// Runs inside the meeting page: takes what each participant says from the element that plays him, as 16-bit samples at
// 16 kHz, cut at pauses. Nothing is kept: a piece is handed over and forgotten.
window.atriumListen = (surface, report) => {
  const sampleRate = 16_000
  const context = new AudioContext({ sampleRate })
  const loudness = 0.01
  const pauseSamples = 0.6 * sampleRate
  const leadSamples = 0.2 * sampleRate
  const pieceSamplesMax = 25 * sampleRate
  const worklet = `registerProcessor('atrium-tap', class extends AudioWorkletProcessor {
    process([[samples]]) { if (samples) this.port.postMessage(samples.slice()); return true }
  })`
  const listeners = new Map()

  function cutter(nameOf) {
    let piece = []
    let length = 0
    let quiet = 0
    let isSpeaking = false
    const hand = () => {
      const samples = new Int16Array(length)
      let at = 0
      for (const block of piece) for (const sample of block) samples[at++] = Math.max(-1, Math.min(1, sample)) * 32_767
      const bytes = new Uint8Array(samples.buffer)
      let text = ''
      for (let start = 0; start < bytes.length; start += 8_192)
        text += String.fromCharCode(...bytes.subarray(start, start + 8_192))
      report({ speaker: nameOf(), samples: btoa(text), seconds: length / sampleRate })
    }
    const clear = () => {
      ;[piece, length, quiet, isSpeaking] = [[], 0, 0, false]
    }
    return (block) => {
      let energy = 0
      for (const sample of block) energy += sample * sample
      const isLoud = Math.sqrt(energy / block.length) > loudness
      piece.push(block)
      length += block.length
      quiet = isLoud ? 0 : quiet + block.length
      isSpeaking ||= isLoud
      if (!isSpeaking) {
        while (length > leadSamples) length -= piece.shift().length
      } else if (quiet > pauseSamples || length > pieceSamplesMax) {
        hand()
        clear()
      }
    }
  }

  function attach(tile, element) {
    const track = element.srcObject?.getAudioTracks()[0]
    if (!track || listeners.get(element)?.track === track) return
    listeners.get(element)?.node.disconnect()
    const node = new AudioWorkletNode(context, 'atrium-tap', { numberOfOutputs: 0 })
    const take = cutter(() => tile.querySelector(surface.people.name)?.textContent.trim() ?? '')
    node.port.onmessage = ({ data }) => take(data)
    context.createMediaStreamSource(new MediaStream([track])).connect(node)
    listeners.set(element, { track, node })
  }

  const attachAll = () => {
    for (const tile of document.querySelectorAll(surface.people.tile)) {
      if (surface.people.self && tile.matches(surface.people.self)) continue
      for (const element of tile.querySelectorAll(surface.sound)) attach(tile, element)
    }
  }
  const url = URL.createObjectURL(new Blob([worklet], { type: 'text/javascript' }))
  return context.audioWorklet.addModule(url).then(() => {
    attachAll()
    setInterval(attachAll, 200)
    return context.resume()
  })
}
