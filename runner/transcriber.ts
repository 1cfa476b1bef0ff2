import { setTimeout as delay } from 'node:timers/promises'
import { errorMessage, type Log } from './log.ts'
import type { SpokenPiece } from './meeting-page.ts'
import type { SpeechToText } from './options.ts'
import { wavFile } from './wav.ts'

export type Transcriber = {
  /** `onText` is called with what was said, unless that was nothing. */
  add(piece: SpokenPiece, onText: (text: string) => void): void
  /** Resolves when all pieces are through, after 20 s at the latest. */
  finished(): Promise<void>
}

const timeoutMs = 30_000
const tries = 3
const atOnce = 3
/** Of a service that has fallen behind, the oldest pieces are dropped: memory is bounded. */
const waitingMax = 60
const finishMs = 20_000

/** Sends pieces of sound to a transcription service with OpenAI's interface (`POST /audio/transcriptions`). */
export function transcriber({ baseUrl, apiKey, model }: SpeechToText, log: Log): Transcriber {
  const waiting: { piece: SpokenPiece; onText: (text: string) => void }[] = []
  const running = new Set<Promise<void>>()

  const ask = async (piece: SpokenPiece): Promise<string> => {
    const form = new FormData()
    form.set('file', new File([wavFile(Buffer.from(piece.samples, 'base64'))], 'piece.wav', { type: 'audio/wav' }))
    form.set('model', model)
    form.set('response_format', 'json')
    const response = await fetch(`${baseUrl}/audio/transcriptions`, {
      method: 'POST',
      body: form,
      headers: apiKey ? { authorization: `Bearer ${apiKey}` } : {},
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'error',
    })
    if (!response.ok) throw new Error(`The transcription service answered ${response.status}`)
    const { text } = (await response.json()) as { text?: unknown }
    return typeof text === 'string' ? text.trim() : ''
  }
  const transcribe = async ({ piece, onText }: (typeof waiting)[number]) => {
    for (let attempt = 1; attempt <= tries; attempt++) {
      try {
        const text = await ask(piece)
        if (text !== '') onText(text)
        return
      } catch (error) {
        log.warn('A piece was not transcribed', { attempt, seconds: piece.seconds, reason: errorMessage(error) })
        await delay(500 * attempt)
      }
    }
  }
  const startNext = () => {
    const next = running.size < atOnce ? waiting.shift() : undefined
    if (!next) return
    const work: Promise<void> = transcribe(next).finally(() => {
      running.delete(work)
      startNext()
    })
    running.add(work)
  }
  return {
    add: (piece, onText) => {
      if (waiting.push({ piece, onText }) > waitingMax) {
        waiting.shift()
        log.warn('The transcription service has fallen behind; a piece is dropped')
      }
      startNext()
    },
    finished: async () => {
      const all = async () => {
        while (running.size > 0) await Promise.all(running)
      }
      await Promise.race([all(), delay(finishMs)])
    },
  }
}
