import type { TranscriptGap } from '../entries/gap.schema.ts'
import { cueTime } from './formats/cue-writing.rules.ts'

/** Gaps in their order, each told once, before the first entry that came after it began. */
export function gapsInOrder(gaps: readonly TranscriptGap[]) {
  const left = gaps.toSorted((a, b) => a.offsetSeconds - b.offsetSeconds)
  return {
    before: (offsetSeconds: number): TranscriptGap[] => {
      const next = left.findIndex((gap) => gap.offsetSeconds >= offsetSeconds)
      return left.splice(0, next === -1 ? left.length : next)
    },
    rest: () => left.splice(0),
  }
}

/** A comment of WebVTT, which players do not show. */
export function vttGap(gap: TranscriptGap): string {
  const end = endSeconds(gap)
  const until = end === null ? '' : ` to ${cueTime(end, '.')}`
  return `\nNOTE Nothing was recorded from ${cueTime(gap.offsetSeconds, '.')}${until} (${gap.cause})\n`
}

/** SubRip has no comments: a gap is a cue. */
export function srtGap(gap: TranscriptGap, number: number): string {
  const { offsetSeconds, cause } = gap
  const times = `${cueTime(offsetSeconds, ',')} --> ${cueTime(endSeconds(gap) ?? offsetSeconds + 5, ',')}`
  return `${number}\n${times}\n[Nothing was recorded (${cause})]\n\n`
}

export function textGap(gap: TranscriptGap): string {
  const end = endSeconds(gap)
  const until = end === null ? '' : ` until ${clockTime(end)}`
  return `[${clockTime(gap.offsetSeconds)}] [Nothing was recorded${until} (${gap.cause})]\n`
}

const clockTime = (seconds: number) => cueTime(seconds, '.').slice(0, -4)

const endSeconds = ({ from, to, offsetSeconds }: TranscriptGap): number | null =>
  to === null ? null : offsetSeconds + (to.getTime() - from.getTime()) / 1000
