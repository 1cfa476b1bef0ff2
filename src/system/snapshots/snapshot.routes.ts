import { admin } from '../../http/access/access.ts'
import { ok } from '../../http/answer.ts'
import { type Route, route } from '../../http/route.ts'
import { StrictObject } from '../../kernel/schemas.ts'
import { Type } from '../../kernel/type.ts'
import { type SnapshotDeps, snapshotService } from './snapshot.service.ts'

// A folder name, never a path: the caller must have created the folder on this machine.
const Folder = Type.String({
  pattern: '^snapshot-[0-9a-f]{12}$',
  description: 'The name of an empty folder inside the data folder. The caller creates it.',
  examples: ['snapshot-5f0c1d9e2b7a'],
})

const NewSnapshot = StrictObject({ folder: Folder })

const SnapshotAnswer = StrictObject({
  snapshot: StrictObject({
    folder: Folder,
    bytes: Type.Integer({ description: 'Size of all files.', examples: [83_886_080] }),
    pausedMs: Type.Number({ description: 'How long the database was paused, in milliseconds.', examples: [41.3] }),
  }),
})

export type { SnapshotDeps }

export function snapshotRoutes(deps: SnapshotDeps): Route[] {
  const snapshots = snapshotService(deps)
  return [
    route({
      method: 'POST',
      path: '/v1/platform/admin/snapshots',
      name: 'createSnapshot',
      tag: 'Administration',
      summary: 'Copy the embedded database for a backup',
      description:
        '`npm run backup` calls this while a service uses the data folder. The copy stays on the machine; the caller removes it.',
      access: admin('OWNER'),
      isSensitive: true,
      body: NewSnapshot,
      answers: { 200: SnapshotAnswer },
      refusals: ['STATE_CONFLICT', 'NOT_FOUND'],
      handle: async ({ platform, body: { folder } }) => {
        const { bytes, pausedMs } = await snapshots.create(platform, folder)
        return ok({ snapshot: { folder, bytes, pausedMs } })
      },
    }),
  ]
}
