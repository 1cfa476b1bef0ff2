import { words } from './words.ts'

const good = ['ACTIVE', 'READY', 'ok', 'VALID', 'SENT', 'ALLOWED']
const bad = ['REVOKED', 'SUSPENDED', 'EXPIRED', 'dead', 'FAILED', 'failed', 'DISABLED', 'DENIED', 'unavailable']

/** A state in a word; the colour only repeats it. */
export function Status({ value }: { value: string }) {
  const tone = good.includes(value) ? 'good' : bad.includes(value) ? 'bad' : 'plain'
  return <span className={`status status-${tone}`}>{stateWord(value)}</span>
}

const states: Record<string, string> = words.states

/** Of a state, a kind or a reason; of one that the console does not know, its code. */
export function stateWord(code: string): string {
  return states[code] ?? code.toLowerCase().replaceAll('_', ' ')
}
