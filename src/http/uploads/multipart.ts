import type { Readable } from 'node:stream'
import type { Dicer } from '@fastify/busboy'
import { Refusal } from '../../kernel/refusal.ts'
import { headerBytes, type PartHeader, readPartHeader } from './part-header.ts'

export type Part = PartHeader & { bytes: Readable }

export type MultipartOptions = {
  boundary: string
  /** For the whole body. */
  bytesMax: number
  partsMax: number
  /** A client that sends nothing for this long counts as gone. */
  silenceMs: number
  /** The longest time for the whole body. */
  durationMs: number
  /** Reads a part to its end; the next part starts afterwards. */
  onPart(part: Part): Promise<void>
}

// Bytes for a part's headers: its name, file name and type, also in other scripts.
const headerBytesMax = 8 * 1024
const headersMax = 20
/**
 * The parser silently cuts data beyond its own limits, so those are higher than ours.
 */
const parserLimits = { maxHeaderSize: 8 * headerBytesMax, maxHeaderPairs: headersMax + 1 }
/** After a refusal the rest is discarded for this long, so that a client that reads only at the end sees the answer. */
const lingerMs = 5000

/**
 * Reads a multipart/form-data body part by part as a stream. Memory holds only data that was not taken yet; the sender waits.
 * Refuses with VALIDATION_ERROR (broken or incomplete), BODY_TOO_LARGE, REQUEST_TIMEOUT (the client went silent), and
 * whatever `take` throws. Settles after every `take` has ended.
 */
export async function readParts(source: Readable, reading: MultipartOptions): Promise<void> {
  const { Dicer } = await import('@fastify/busboy')
  const parser = new Dicer({ boundary: reading.boundary, ...parserLimits })
  const end = Promise.withResolvers<void>()
  const taken = new Set<Promise<void>>()
  const running = new Set<Readable>()
  const progress = { isParsed: false, isReceived: false, bytes: 0, parts: 0, headers: 0 }

  let failure: { error: unknown } | null = null
  const fail = (error: unknown): void => {
    failure ??= { error }
    end.resolve()
    for (const bytes of running) bytes.destroy(error as Error)
  }
  const endIfComplete = (): void => {
    if (!(progress.isParsed && progress.isReceived)) return
    if (progress.parts === progress.headers) end.resolve()
    else fail(invalidMultipart('has a part without headers'))
  }
  parser.on('part', (bytes: Readable) => {
    if (++progress.parts > reading.partsMax)
      return discardPart(bytes, fail, invalidMultipart(`has more than ${reading.partsMax} parts`))
    bytes.on('error', () => undefined) // the reader gets it, or the code below
    bytes.on('header', (headers: Record<string, string[]>) => {
      progress.headers++
      if (hasTooManyHeaders(headers))
        return discardPart(bytes, fail, invalidMultipart('has a part with too many or too long headers'))
      const header = readPartHeader(headers)
      if (header === null)
        return discardPart(bytes, fail, invalidMultipart('has a part without a readable Content-Disposition'))
      running.add(bytes)
      taken.add(
        reading
          .onPart({ ...header, bytes })
          .catch(fail)
          .finally(() => running.delete(bytes)),
      )
    })
  })
  parser.on('error', () => fail(invalidMultipart('is cut off or broken')))
  parser.on('finish', () => {
    progress.isParsed = true
    source.resume() // the parser asks for no more once it has seen the end
    endIfComplete()
  })
  const stop = feedParser({ source, parser, reading, whole: progress, fail, endIfWhole: endIfComplete })
  await end.promise
  await Promise.all(taken)
  stop()
  throwFailure(failure)
}

/** A file may be refused after the whole body has arrived. */
function throwFailure(failure: { error: unknown } | null): void {
  if (failure !== null) throw failure.error
}

type Feeding = {
  source: Readable
  parser: Dicer
  reading: MultipartOptions
  whole: { isParsed: boolean; isReceived: boolean; bytes: number }
  fail(error: unknown): void
  endIfWhole(): void
}

/** Pipes the source into the parser, within the limits; the returned function stops and discards the rest. */
function feedParser({ source, parser, reading, whole, fail, endIfWhole }: Feeding): () => void {
  const failWithTimeout = (detail: string) =>
    fail(new Refusal('REQUEST_TIMEOUT', { detail, headers: { connection: 'close' } }))
  const silence = setTimeout(() => {
    // We are holding the client back, so it is not silent.
    if (source.isPaused()) silence.refresh()
    else failWithTimeout(`Nothing was received for ${reading.silenceMs / 1000} seconds.`)
  }, reading.silenceMs)
  const duration = setTimeout(
    () => failWithTimeout(`It took longer than ${reading.durationMs / 60_000} minutes.`),
    reading.durationMs,
  )
  const onData = (chunk: Buffer): void => {
    silence.refresh()
    whole.bytes += chunk.length
    if (whole.bytes > reading.bytesMax) fail(bodyTooLarge(reading.bytesMax))
    else if (!whole.isParsed && !parser.write(chunk)) source.pause()
  }
  const onEnd = (): void => {
    clearTimeout(silence)
    whole.isReceived = true
    if (!whole.isParsed) parser.end()
    endIfWhole()
  }
  const onClose = (): void => {
    if (!whole.isReceived) fail(invalidMultipart('is cut off'))
  }
  parser.on('drain', () => source.resume())
  source.on('data', onData).once('end', onEnd).once('close', onClose).on('error', onClose)
  if (source.destroyed) onClose()
  return () => {
    clearTimeout(silence)
    clearTimeout(duration)
    source.off('data', onData)
    if (whole.isReceived) return
    source.resume()
    setTimeout(() => source.readableEnded || source.destroy(), lingerMs).unref()
  }
}

function hasTooManyHeaders(headers: Record<string, string[]>): boolean {
  return Object.values(headers).flat().length > headersMax || headerBytes(headers) > headerBytesMax
}

function discardPart(bytes: Readable, fail: (error: unknown) => void, reason: Refusal): void {
  bytes.on('error', () => undefined).resume()
  fail(reason)
}

/** The start of every refusal of an invalid form. */
export function invalidMultipart(message: string): Refusal {
  const fault = { path: '/body', code: 'multipart', message }
  return new Refusal('VALIDATION_ERROR', { detail: `The multipart body ${message}.`, errors: [fault] })
}

export function bodyTooLarge(bytesMax: number): Refusal {
  const detail = `The limit is ${Math.floor(bytesMax / 1024 / 1024)} MiB.`
  return new Refusal('BODY_TOO_LARGE', { detail })
}
