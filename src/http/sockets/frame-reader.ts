import type { Clock } from '../../kernel/clock.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { readJson } from '../body.ts'
import { type Check, schemaCheck } from '../validation.ts'
import { clientEnvelope } from './envelope.schema.ts'
import type { Frame, SocketDeclaration } from './socket-declaration.ts'

export type FrameReader = {
  /** Parses a JSON object. Refuses with MALFORMED_JSON, like HTTP bodies. */
  parse(bytes: Buffer): Partial<Frame>
  /** Refuses with VALIDATION_ERROR. */
  check(value: Partial<Frame>): Promise<Frame>
}

/** Reads a socket's frames: checks them like a body, then by the schema of their type. */
export function frameReader({ frames }: SocketDeclaration): FrameReader {
  const checks = new Map<string, Check>(
    Object.entries({ ...clientEnvelope, ...frames }).map(([type, schema]) => [type, schemaCheck(schema, 'frame')]),
  )
  const known = [...checks.keys()].map((type) => JSON.stringify(type)).join(', ')
  return {
    parse: (bytes) => {
      const value = readJson(bytes)
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw new Refusal('MALFORMED_JSON', { detail: 'A frame must be a JSON object.' })
      return value
    },
    check: async (value) => {
      const check = typeof value.type === 'string' ? checks.get(value.type) : undefined
      if (check === undefined) throw invalidField('/frame/type', { code: 'enum', message: `must be one of ${known}` })
      return (await check(value)) as Frame
    },
  }
}

/** The id of an otherwise invalid frame, for its error frame. */
export function frameId({ id }: Partial<Frame>): { id?: string } {
  return typeof id === 'string' && id.length <= 64 ? { id } : {}
}

/** Limits a client's frames: `perSecond`, with a burst. False if there are too many. */
export function frameBudget({ perSecond, atOnceMax, clock }: { perSecond: number; atOnceMax: number; clock: Clock }) {
  let left = atOnceMax
  let filledMs = clock.now().getTime()
  return (): boolean => {
    const nowMs = clock.now().getTime()
    // A clock that was set back adds nothing.
    left = Math.min(atOnceMax, left + (Math.max(0, nowMs - filledMs) * perSecond) / 1000)
    filledMs = nowMs
    left -= 1
    return left >= 0
  }
}
