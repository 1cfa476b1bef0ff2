import type { TProperties } from 'typebox'
import { StrictObject, StringEnum } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { UsageOfRefusal } from '../problem.ts'

const FrameId = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'An id of your own for the frame. The answer repeats it.',
  examples: ['17'],
})

const token = Type.String({ minLength: 1, maxLength: 4096, description: 'The `accessToken` from the login response.' })

/** A client's frame; it may have an id. */
export function ClientFrame<const Name extends string, P extends TProperties>(type: Name, members: P) {
  return StrictObject({ type: StringEnum([type]), id: Type.Optional(FrameId), ...members })
}

/** A server frame that answers a client's frame, with its id if it had one. */
export function AnswerFrame<const Name extends string, P extends TProperties>(type: Name, members: P) {
  return StrictObject({ type: StringEnum([type]), id: Type.Optional(FrameId), ...members })
}

/** A server frame that answers no client frame. */
export function ServerFrame<const Name extends string, P extends TProperties>(type: Name, members: P) {
  return StrictObject({ type: StringEnum([type]), ...members })
}

/** Client frames that every socket accepts. */
export const clientEnvelope = {
  auth: ClientFrame('auth', {
    token: { ...token, examples: ['eyJhbGciOiJFZERTQSJ9.e30.c2ln'] },
    apiKey: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4096,
        description: 'Optional. An API key of the same tenant that lists the product.',
        examples: ['atr_example'],
      }),
    ),
  }),
  ping: ClientFrame('ping', {}),
}

/** Server frames that every socket sends. */
export const serverEnvelope = {
  ready: AnswerFrame('ready', {
    connectionId: Type.String({
      description: 'Identifies the connection in our log.',
      examples: ['0193b6a0-5c1e-7a44-9d3f-2b6f0c8e1a57'],
    }),
    protocol: Type.String({ examples: ['assistant.v1'] }),
    limits: StrictObject({
      frameBytesMax: Type.Integer({ examples: [65_536] }),
      framesPerSecond: Type.Integer({ examples: [20] }),
    }),
  }),
  pong: AnswerFrame('pong', {}),
  error: AnswerFrame('error', {
    code: Type.String({
      description: 'A stable code for programs, one of docs/errors.md.',
      examples: ['STATE_CONFLICT'],
    }),
    message: Type.String({ description: 'For a person.', examples: ['State does not allow this'] }),
    detail: Type.Optional(Type.String({ examples: ['The meeting is completed.'] })),
    errors: Type.Optional(
      Type.Array(
        StrictObject({
          path: Type.String({ description: 'JSON pointer to the invalid value.', examples: ['/frame/meetingId'] }),
          code: Type.String({ examples: ['required'] }),
          message: Type.String({ examples: ['is required'] }),
        }),
      ),
    ),
    usage: Type.Optional(UsageOfRefusal),
    retryAfterSeconds: Type.Optional(Type.Integer({ examples: [2] })),
  }),
}
