import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { hear } from '../meeting-page/tones.ts'

export type SttServer = Awaited<ReturnType<typeof startSttServer>>

/** A transcription service with OpenAI's interface that understands the tones of our meeting page. */
export async function startSttServer() {
  const state = { requests: 0, failures: 0, models: new Set<string>(), authorization: '' }
  const transcribe = async (request: IncomingMessage): Promise<{ status: number; body: object }> => {
    if (request.url !== '/v1/audio/transcriptions' || request.method !== 'POST') return { status: 404, body: {} }
    state.requests += 1
    state.authorization = request.headers.authorization ?? ''
    const headers = { 'content-type': request.headers['content-type'] ?? '' }
    const form = await new Response(new Uint8Array(await buffer(request)), { headers }).formData()
    if (state.failures > 0) {
      state.failures -= 1
      return { status: 500, body: {} }
    }
    state.models.add(String(form.get('model')))
    const file = form.get('file') as File
    return { status: 200, body: { text: hear(...samplesOf(Buffer.from(await file.arrayBuffer()))) } }
  }
  const server = createServer((request, response) => {
    transcribe(request).then(
      ({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      () => response.destroy(),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    state,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Of a WAV file with 16-bit samples and one channel. */
function samplesOf(file: Buffer): [samples: Float32Array, sampleRate: number] {
  if (file.toString('latin1', 0, 4) !== 'RIFF' || file.readUInt16LE(22) !== 1 || file.readUInt16LE(34) !== 16)
    throw new Error('Not the expected kind of WAV file')
  const samples = new Float32Array((file.length - 44) / 2)
  for (let index = 0; index < samples.length; index++) samples[index] = file.readInt16LE(44 + 2 * index) / 32_768
  return [samples, file.readUInt32LE(24)]
}
