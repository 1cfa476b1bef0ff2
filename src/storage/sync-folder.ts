import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Writes a folder to the disk, and so the names of its files. Windows has no such call and needs none. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
