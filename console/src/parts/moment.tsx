import { words } from './words.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** A time as one says it; the exact time is its title. */
export function Moment({ at, none = words.never }: { at: string | null | undefined; none?: string }) {
  if (!at) return <span className="dim">{none}</span>
  const date = new Date(at)
  return (
    <time dateTime={at} title={exact.format(date)}>
      {spoken(date)}
    </time>
  )
}

function spoken(date: Date): string {
  const seconds = (date.getTime() - Date.now()) / 1000
  if (Math.abs(seconds) > 30 * 86_400) return exact.format(date)
  const [unit, size] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
  return relative.format(Math.round(seconds / size), unit as Intl.RelativeTimeFormatUnit)
}
