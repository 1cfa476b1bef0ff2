import { lastUsedBuffer } from '../../storage/last-used-buffer.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { saveKeysLastUsed } from './key.store.ts'

const delayMs = 1000

export type KeyLastUsedBuffer = {
  mark(key: { tenantId: string; id: string }, at: Date): void
  flush(): Promise<void>
}

/** Buffers when each key was last used and writes it later, outside the request that used the key. */
export function keyLastUsedBuffer(platform: PlatformScope): KeyLastUsedBuffer {
  const { mark, flush } = lastUsedBuffer({
    delayMs,
    write: (marks) =>
      saveKeysLastUsed(
        platform,
        marks.map(({ key, at }) => ({ ...parseMark(key), at })),
      ),
  })
  return { mark: ({ tenantId, id }, at) => mark(`${tenantId} ${id}`, at), flush }
}

function parseMark(mark: string): { tenantId: string; id: string } {
  const [tenantId = '', id = ''] = mark.split(' ')
  return { tenantId, id }
}
