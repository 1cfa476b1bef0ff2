import { readFileSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'

// Linux's folder in memory, which any user may write to.
const place = '/dev/shm'
// Tests and their database servers were seen to keep 1.6 GB there at a time.
const freeBytesMin = 6e9

/**
 * A folder in memory for what tests write, or null where there is none with enough room. A data folder is a thousand files, each
 * synced to the disk as it is made: on a disk that takes more of a processor than to start the service in it. The copy of a database
 * on a server is as many files.
 */
export function memoryFolder(): string | null {
  try {
    const mounted = readFileSync('/proc/mounts', 'utf8').split('\n')
    const [, , kind, options = ''] = mounted.find((line) => line.split(' ')[1] === place)?.split(' ') ?? []
    // Some tests write programs, and run them.
    if (kind !== 'tmpfs' || options.split(',').includes('noexec')) return null
    const { bavail, bsize } = statfsSync(place)
    return Math.min(bavail * bsize, freemem()) < freeBytesMin ? null : place
  } catch {
    return null
  }
}
