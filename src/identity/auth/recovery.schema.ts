import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { Email } from '../users/user.schema.ts'
import { NewPassword } from './auth.schema.ts'

const Token = (example: string) =>
  Type.String({ minLength: 1, maxLength: 512, description: 'The token from the mail.', examples: [example] })

export const ForgottenPassword = StrictObject({ email: Email })
export const PasswordReset = StrictObject({
  token: Token('atrp_k3JmZQ7xW2nB8vLcT5yRfD0aHsGuE1pN6oKiX4bVjM9qAwS1tUz'),
  password: NewPassword,
})
export const Verification = StrictObject({ token: Token('atrv_k3JmZQ7xW2nB8vLcT5yRfD0aHsGuE1pN6oKiX4bVjM9qAwS1tUz') })
export const Accepted = StrictObject({
  message: Type.String({ examples: ['If an account has this address, a mail is on its way.'] }),
})
