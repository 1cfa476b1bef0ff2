import type { Sight } from './surfaces/surface.ts'

export type Caption = { n: number; speaker: string; text: string; atMs: number; isFinal: boolean }

type Held = Caption & { changedAtMs: number }

/** A line that nobody marked as final counts as such once it did not change for this long. */
const settledMs = 3_000

/**
 * Turns what the captions show again and again into numbered entries: a draft at each change of a line, and one final text
 * when the line is marked, has settled, or is gone.
 */
export function captionReader(nextNumber: () => number) {
  const lines = new Map<string, Held>()
  const emit = ({ changedAtMs: _, ...caption }: Held): Caption => caption

  return {
    read: (shown: Sight['captions'], nowMs: number): Caption[] => {
      const found: Caption[] = []
      for (const { key, author, text, isFinal } of shown) {
        const held = lines.get(key)
        if (text === '' || (held && held.text === text && (held.isFinal || !isFinal))) continue
        // A page that corrects a final text replaces it: the number stays.
        const start = held ?? { n: nextNumber(), atMs: nowMs }
        const next = { n: start.n, atMs: start.atMs, speaker: author, text, isFinal, changedAtMs: nowMs }
        lines.set(key, next)
        found.push(emit(next))
      }
      const keys = new Set(shown.map(({ key }) => key))
      for (const [key, held] of lines) {
        const isGone = !keys.has(key)
        if (!held.isFinal && (isGone || nowMs - held.changedAtMs >= settledMs)) {
          held.isFinal = true
          found.push(emit(held))
        }
        if (isGone) lines.delete(key)
      }
      return found
    },
    /** The visit ends: all that is still a draft. */
    finish: (): Caption[] => {
      const drafts = [...lines.values()].filter(({ isFinal }) => !isFinal)
      for (const draft of drafts) draft.isFinal = true
      return drafts.map(emit)
    },
    /** What the page shows already is nobody's business: it was said before the notice. */
    skip: (shown: Sight['captions'], nowMs: number) => {
      for (const { key, author, text } of shown)
        lines.set(key, { n: 0, speaker: author, text, atMs: nowMs, isFinal: true, changedAtMs: nowMs })
    },
  }
}
