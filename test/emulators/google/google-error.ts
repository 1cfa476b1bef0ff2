import type { Reply } from '../call.ts'

export function googleError(code: number, reason: string, message: string): Reply {
  return { status: code, body: { error: { code, message, errors: [{ domain: 'global', reason, message }] } } }
}
