import { laterDay, utcDay } from '../../kernel/period.ts'

/**
 * `exact`: counted in the transaction of the use, and never above a limit that refuses. `stock`: how much is stored now.
 * `counted`: in batches, once a second; the bytes of the VPN with the report of their node.
 */
export type MeterKind = 'exact' | 'stock' | 'counted'

/** What happens at the limit: a refusal, the local engine instead of the model, or nothing but a notice. */
export const limitEffects = ['REFUSE', 'FALL_BACK', 'TELL'] as const
export type LimitEffect = (typeof limitEffects)[number]

type Meter = { kind: MeterKind; unit: string; atLimit: LimitEffect }

const exact = (unit: string, atLimit: LimitEffect) => ({ kind: 'exact', unit, atLimit }) as const
const counted = (unit: string) => ({ kind: 'counted', unit, atLimit: 'TELL' }) as const
const stock = (unit: string) => ({ kind: 'stock', unit, atLimit: 'REFUSE' }) as const

/** Everything that is counted. The names are stored. */
export const meters = {
  meetings: exact('meetings', 'REFUSE'),
  transcriptWords: exact('words', 'REFUSE'),
  modelTokens: exact('tokens', 'FALL_BACK'),
  asks: exact('answers', 'FALL_BACK'),
  documentPages: exact('pages', 'REFUSE'),
  botMinutes: exact('minutes', 'REFUSE'),
  storageBytes: stock('bytes'),
  documents: stock('documents'),
  vpnSessions: counted('sessions'),
  vpnBytes: counted('bytes'),
  webhookDeliveries: counted('deliveries'),
  mails: counted('mails'),
  apiCalls: counted('requests'),
  summaries: counted('summaries'),
  transcriptMinutes: counted('minutes'),
} as const satisfies Record<string, Meter>

export type MeterName = keyof typeof meters
type NamesOfKind<K extends MeterKind> = {
  [M in MeterName]: (typeof meters)[M]['kind'] extends K ? M : never
}[MeterName]
export type ExactMeter = NamesOfKind<'exact'>
export type CountedMeter = NamesOfKind<'counted'>
/** Counted in windows of time. */
export type UsedMeter = ExactMeter | CountedMeter

export const meterNames = Object.keys(meters) as MeterName[]
export const usedMeters = meterNames.filter((name): name is UsedMeter => meters[name].kind !== 'stock')

export type Span = 'month' | 'day'

/** What can have a limit: a meter in a month, or the tokens of a day. */
export type LimitedName = MeterName | 'modelTokensPerDay'
export const limitedNames = [...meterNames, 'modelTokensPerDay'] as const satisfies LimitedName[]

export const isLimitedName = (name: string): name is LimitedName => (limitedNames as readonly string[]).includes(name)

/**
 * What may happen at a limit. What is stored can only be refused, and a summary or an answer never is for want of tokens. Of
 * what is counted after the fact only the bytes of the VPN can be refused: new connects are.
 */
export function possibleEffects(name: LimitedName): LimitEffect[] {
  const { meter } = meterOfLimit(name)
  const { kind, atLimit } = meters[meter]
  if (kind === 'stock') return [atLimit]
  if (meter === 'vpnBytes') return ['REFUSE', 'TELL']
  if (meter === 'asks') return ['FALL_BACK', 'REFUSE', 'TELL']
  return kind === 'exact' ? [atLimit, 'TELL'] : ['TELL']
}

/** The meter whose uses the limit counts, and in which window. */
export function meterOfLimit(name: LimitedName): { meter: MeterName; span: Span } {
  return name === 'modelTokensPerDay' ? { meter: 'modelTokens', span: 'day' } : { meter: name, span: 'month' }
}

/** A window of time, by its first day and the first day after it, in UTC. `end`: when that day begins. */
export type UsageWindow = Readonly<{ span: Span; from: string; to: string; end: Date; seconds: number }>

// Each use asks, and nearly always for today.
const lastWindows: Partial<Record<Span, { day: string; window: UsageWindow }>> = {}

/** The calendar month or the day of a moment, in UTC. */
export function windowAt(now: Date, span: Span): UsageWindow {
  const day = utcDay(now)
  const last = lastWindows[span]
  if (last?.day === day) return last.window
  const window = windowOfDay(day, span)
  lastWindows[span] = { day, window }
  return window
}

function windowOfDay(day: string, span: Span): UsageWindow {
  const from = span === 'day' ? day : `${day.slice(0, 7)}-01`
  const to = span === 'day' ? laterDay(day, 1) : `${laterDay(from, 31).slice(0, 7)}-01`
  const end = dayStart(to)
  return { span, from, to, end, seconds: (end.getTime() - dayStart(from).getTime()) / 1000 }
}

export function dayStart(day: string): Date {
  return new Date(`${day}T00:00:00.000Z`)
}

/** At which percentages of a limit a tenant is told that has set no others. The function `usage_reached` has them, too. */
export const defaultPercents = [80, 100]
