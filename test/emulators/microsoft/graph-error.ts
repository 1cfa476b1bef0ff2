import type { Reply } from '../call.ts'

export function graphError(status: number, code: string, message: string): Reply {
  return { status, body: { error: { code, message, innerError: {} } } }
}
