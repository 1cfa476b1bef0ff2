import type { SummaryPointer } from '../../meetings/index.ts'

/** The sentences of summaries that cite one of some entries of a meeting, each once. */
export function summarySentences(
  pointers: readonly SummaryPointer[],
): (meetingId: string, seqs: readonly number[]) => string[] {
  const bySeq = new Map<string, string[]>()
  for (const { meetingId, sentence, seqs } of pointers)
    for (const seq of seqs) {
      const key = `${meetingId} ${seq}`
      const known = bySeq.get(key)
      if (known === undefined) bySeq.set(key, [sentence])
      else known.push(sentence)
    }
  return (meetingId, seqs) => [...new Set(seqs.flatMap((seq) => bySeq.get(`${meetingId} ${seq}`) ?? []))]
}
