import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'

const members = {
  idToken: Type.String({
    minLength: 1,
    maxLength: 8192,
    description: 'The ID token (a JWT) that Google gave to the app.',
    examples: ['eyJhbGciOiJSUzI1NiIsImtpZCI6ImIxIn0.eyJzdWIiOiIxMTAyNDgifQ.c2lnbmF0dXJl'],
  }),
  nonce: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description: 'The one the app asked Google with: the token is then refused with any other.',
      examples: ['n-0S6_WzA2Mj'],
    }),
  ),
}

const currentPassword = Type.String({ minLength: 1, maxLength: 1024, examples: ['correct-horse-battery'] })

export const GoogleSignIn = StrictObject(members)
export const GoogleLink = StrictObject({ ...members, currentPassword })
export const GoogleUnlink = StrictObject({ currentPassword })
