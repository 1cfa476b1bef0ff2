const good = ['ACTIVE', 'READY', 'ok', 'VALID', 'SENT', 'ALLOWED']
const bad = ['REVOKED', 'SUSPENDED', 'EXPIRED', 'dead', 'FAILED', 'failed', 'DISABLED', 'DENIED', 'unavailable']

/** A state in a word; the colour only repeats it. */
export function Status({ value }: { value: string }) {
  const tone = good.includes(value) ? 'good' : bad.includes(value) ? 'bad' : 'plain'
  const word = value.toLowerCase().replaceAll('_', ' ')
  return <span className={`status status-${tone}`}>{word}</span>
}
