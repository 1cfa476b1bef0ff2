import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const members = {
  idToken: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'The ID token (a JWT) that the app got from Google.',
    examples: ['eyJhbGciOiJSUzI1NiIsImtpZCI6ImIxIn0.eyJzdWIiOiIxMTAyNDgifQ.c2lnbmF0dXJl'],
  }),
  nonce: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The nonce that the app sent to Google. If it is given, a token with another nonce is refused.',
      examples: ['n-0S6_WzA2Mj'],
    }),
  ),
}

const currentPassword = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct-horse-battery'] })

export const GoogleSignIn = StrictObject(members)
export const GoogleLink = StrictObject({ ...members, currentPassword })
export const GoogleUnlink = StrictObject({ currentPassword })
