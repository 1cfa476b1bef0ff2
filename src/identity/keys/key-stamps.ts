import { lastUsedBuffer } from '../../storage/last-used-buffer.ts'
import type { PlatformScope } from '../../storage/scope.ts'
import { stampKeys } from './key.store.ts'

const delayMs = 1000

export type KeyStamps = {
  mark(key: { tenantId: string; id: string }, at: Date): void
  flush(): Promise<void>
}

/** When each key was last used, written late and never in the path of the request that used it. */
export function keyStampsOf(platform: PlatformScope): KeyStamps {
  const { mark, flush } = lastUsedBuffer({
    delayMs,
    write: (marks) =>
      stampKeys(
        platform,
        marks.map(({ key, at }) => ({ ...placeOf(key), at })),
      ),
  })
  return { mark: ({ tenantId, id }, at) => mark(`${tenantId} ${id}`, at), flush }
}

function placeOf(mark: string): { tenantId: string; id: string } {
  const [tenantId = '', id = ''] = mark.split(' ')
  return { tenantId, id }
}
