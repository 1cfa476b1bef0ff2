import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Writes the service's address into its data folder, for commands on this machine. */
export async function announceAddress(dataFolder: string, address: string): Promise<void> {
  await writeFile(addressFile(dataFolder), `${address}\n`)
}

export async function withdrawAddress(dataFolder: string): Promise<void> {
  await rm(addressFile(dataFolder), { force: true })
}

/** Null while no service listens. After a `kill -9` the file is still there, so ask only where the folder is locked. */
export async function announcedAddress(dataFolder: string): Promise<string | null> {
  return readFile(addressFile(dataFolder), 'utf8').then(
    (text) => text.trim(),
    () => null,
  )
}

function addressFile(dataFolder: string): string {
  return join(dataFolder, 'atrium.url')
}
