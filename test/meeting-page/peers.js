/** One WebRTC connection to each other participant. Whoever comes later offers. */
export function connectPeers({ send, voice, audioFor }) {
  const connections = new Map()

  function connection(id) {
    const known = connections.get(id)
    if (known) return known
    const peer = new RTCPeerConnection()
    connections.set(id, peer)
    peer.onicecandidate = ({ candidate }) => candidate && send({ type: 'signal', to: id, signal: { candidate } })
    peer.ontrack = ({ track }) => {
      const audio = audioFor(id)
      if (audio) audio.srcObject = new MediaStream([track])
    }
    return peer
  }

  /** A listener has no microphone, and asks for none. */
  function addVoice(peer) {
    const stream = voice()
    if (stream) for (const track of stream.getTracks()) peer.addTrack(track, stream)
    else peer.addTransceiver('audio', { direction: 'recvonly' })
  }

  async function offer(id) {
    const peer = connection(id)
    addVoice(peer)
    await peer.setLocalDescription()
    send({ type: 'signal', to: id, signal: { description: peer.localDescription } })
  }

  async function answer(id, description) {
    const peer = connection(id)
    await peer.setRemoteDescription(description)
    if (description.type !== 'offer') return
    const stream = voice()
    const track = stream?.getTracks()[0]
    const [transceiver] = peer.getTransceivers()
    if (track && transceiver) {
      transceiver.direction = 'sendrecv'
      await transceiver.sender.replaceTrack(track)
    }
    await peer.setLocalDescription()
    send({ type: 'signal', to: id, signal: { description: peer.localDescription } })
  }

  return {
    /** Those who are still there; the newcomer, if it is this page, calls all others. */
    keep: (people, newcomer) => {
      const self = people.find(({ isSelf }) => isSelf)
      for (const [id, peer] of connections) {
        if (people.some((person) => person.id === id)) continue
        peer.close()
        connections.delete(id)
      }
      if (self && self.id === newcomer) for (const { id, isSelf } of people) if (!isSelf) offer(id)
    },
    signal: async (from, { description, candidate }) => {
      if (description) await answer(from, description)
      else
        await connection(from)
          .addIceCandidate(candidate)
          .catch(() => undefined)
    },
    close: () => {
      for (const peer of connections.values()) peer.close()
      connections.clear()
    },
  }
}
