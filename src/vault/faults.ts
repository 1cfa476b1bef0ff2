import { Refusal } from '../kernel/refusal.ts'

export function conflict(detail: string): Refusal {
  return new Refusal('STATE_CONFLICT', { detail })
}
