import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Tells commands on this machine where the service listens that has the data folder. */
export async function announceAddress(dataFolder: string, address: string): Promise<void> {
  await writeFile(pathIn(dataFolder), `${address}\n`)
}

export async function withdrawAddress(dataFolder: string): Promise<void> {
  await rm(pathIn(dataFolder), { force: true })
}

/** Null while no service listens. After a `kill -9` the file is still there, so ask only where the folder is locked. */
export async function announcedAddress(dataFolder: string): Promise<string | null> {
  return readFile(pathIn(dataFolder), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}

function pathIn(dataFolder: string): string {
  return join(dataFolder, 'atrium.url')
}
