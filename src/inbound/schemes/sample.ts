import type { KeyObject } from 'node:crypto'
import type { RawDelivery } from '../incoming-delivery.ts'

export type SampleInput = { now: Date; id: string }

/** Replaces keys that only a provider has. Tests pass them, production never does. */
export type SampleKeys = {
  sns?: { privateKey: KeyObject; certificateUrl: string }
  botFramework?: { privateKey: KeyObject; keyId: string }
  sendgrid?: { privateKey: KeyObject }
}

export function jsonSample(payload: object, headers: Record<string, string> = {}): RawDelivery {
  const body = Buffer.from(JSON.stringify(payload))
  const contentType = 'application/json'
  return { body, contentType, headers: { 'content-type': contentType, ...headers }, query: {} }
}

export function formSample(fields: Record<string, string>): RawDelivery {
  const boundary = 'sample-of-a-form'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const body = Buffer.from(`${parts.join('')}--${boundary}--\r\n`)
  const contentType = 'multipart/form-data'
  return { body, contentType, headers: { 'content-type': `${contentType}; boundary=${boundary}` }, query: {} }
}
