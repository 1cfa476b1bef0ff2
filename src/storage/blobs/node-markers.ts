import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A file for each node in the folder of uploaded files. A node that does not see the file of another one does not see the
 * other's uploads either. Not one file with an id for all: a copied folder would have the same id.
 */
export type NodeMarkers = {
  write(nodeId: string): Promise<void>
  exists(nodeId: string): Promise<boolean>
  remove(nodeId: string): Promise<void>
  /** Removes the files of nodes that were killed. */
  removeOlder(than: Date): Promise<void>
}

export function nodeMarkers(folder: string): NodeMarkers {
  const markers = join(folder, 'nodes')
  const path = (nodeId: string) => join(markers, nodeId)
  return {
    write: async (nodeId) => {
      await mkdir(markers, { recursive: true, mode: 0o700 })
      await writeFile(path(nodeId), '', { mode: 0o600 })
    },
    exists: (nodeId) =>
      stat(path(nodeId)).then(
        () => true,
        () => false,
      ),
    remove: (nodeId) => rm(path(nodeId), { force: true }),
    removeOlder: async (than) => {
      for (const name of await readdir(markers)) {
        const isOld = await stat(path(name)).then(
          ({ mtime }) => mtime < than,
          () => false,
        )
        if (isOld) await rm(path(name), { force: true })
      }
    },
  }
}
