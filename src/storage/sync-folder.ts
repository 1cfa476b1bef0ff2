import { closeSync, fsyncSync, openSync } from 'node:fs'

/** A file's name is on the disk when its folder is; Windows has no such call and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
