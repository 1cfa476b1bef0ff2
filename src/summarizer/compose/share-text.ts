import type { Analysis } from '../analysis.ts'
import type { Speaker } from '../sentences/meeting-record.ts'

/** "34%" of all words. "under 1%" instead of "0%" for somebody who spoke. */
export function shareText(speaker: Speaker, { record, frames }: Pick<Analysis, 'record' | 'frames'>): string {
  const percent = Math.round((100 * speaker.wordsSpoken) / Math.max(1, record.wordCount))
  return percent === 0 && speaker.wordsSpoken > 0 ? frames.underOne : `${percent}%`
}
