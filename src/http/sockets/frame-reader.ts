import type { Clock } from '../../kernel/clock.ts'
import { invalidField, Refusal } from '../../kernel/refusal.ts'
import { readJson } from '../body.ts'
import { compiledCheck } from '../validation.ts'
import { clientEnvelope } from './envelope.schema.ts'
import type { Frame, SocketDeclaration } from './socket-declaration.ts'

/** The largest honest frame, with 500 entries of four members, has 2,500. */
const membersMax = 3000

/** `sent`: what could be parsed. `error`: why there is no frame, such as MALFORMED_JSON or VALIDATION_ERROR. */
export type ReadFrame = { sent: Partial<Frame>; frame: Frame | null; error: unknown }

/** Reads a socket's frames: checks them like a body, then by the schema of their type. Never throws. */
export type FrameReader = (bytes: Buffer) => ReadFrame

/** Compiles all schemas first: a caller pays for reading frames, and should not for what comes before the first one. */
export async function frameReader({ frames }: SocketDeclaration): Promise<FrameReader> {
  const checks = new Map<string, (value: unknown) => unknown>()
  for (const [type, schema] of Object.entries({ ...clientEnvelope, ...frames }))
    checks.set(type, await compiledCheck(schema, 'frame'))
  const known = [...checks.keys()].map((type) => JSON.stringify(type)).join(', ')
  return (bytes) => {
    let sent: Partial<Frame> = {}
    try {
      sent = parseFrame(bytes)
      const check = typeof sent.type === 'string' ? checks.get(sent.type) : undefined
      if (check === undefined) throw invalidField('/frame/type', { code: 'enum', message: `must be one of ${known}` })
      return { sent, frame: check(sent) as Frame, error: null }
    } catch (error) {
      return { sent, frame: null, error }
    }
  }
}

function parseFrame(bytes: Buffer): Partial<Frame> {
  const value = readJson(bytes, membersMax)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('MALFORMED_JSON', { detail: 'A frame must be a JSON object.' })
  return value
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
