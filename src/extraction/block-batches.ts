import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { TextBlock } from '../retrieval/text-block.ts'

/** In characters of their texts. Reading a batch takes a millisecond or two. */
const batchLength = 128 * 1024

type Row = [
  kind: TextBlock['kind'],
  level: number | null,
  page: number | null,
  text: string,
  joint?: TextBlock['joint'],
]

/** The form in which blocks come back from the worker: 250,000 objects at once would block the event loop that receives them. */
export function encodeBlocks(blocks: readonly TextBlock[]): Uint8Array[] {
  const batches: Uint8Array[] = []
  let rows: Row[] = []
  let length = 0
  for (const { kind, level, page, text, joint } of blocks) {
    rows.push(joint === undefined ? [kind, level, page, text] : [kind, level, page, text, joint])
    length += text.length + 30
    if (length < batchLength) continue
    batches.push(Buffer.from(JSON.stringify(rows)))
    rows = []
    length = 0
  }
  return [...batches, Buffer.from(JSON.stringify(rows))]
}

export async function decodeBlocks(batches: readonly Uint8Array[]): Promise<TextBlock[]> {
  const blocks: TextBlock[] = []
  for (const batch of batches) {
    const rows = JSON.parse(Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength).toString()) as Row[]
    for (const [kind, level, page, text, joint] of rows)
      blocks.push({ kind, level, page, text, ...(joint === undefined ? {} : { joint }) })
    await yieldToEventLoop()
  }
  return blocks
}
