import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'
const secretBytes = 32

/** A new signing secret in the form that its owner sees (Standard Webhooks 1.0.0, "Signature scheme"). */
export function newSigningSecret(): string {
  return `${prefix}${randomBytes(secretBytes).toString('base64')}`
}

export type MessageToSign = { id: string; at: Date; body: string }

/** The three headers that a receiver verifies, with one signature for each valid secret. */
export function signedHeaders({ id, at, body }: MessageToSign, secrets: string[]): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = secrets.map((secret) => sign(secret, `${id}.${timestamp}.${body}`))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures.join(' ') }
}

function sign(secret: string, text: string): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`
}
