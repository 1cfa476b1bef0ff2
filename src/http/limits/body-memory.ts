import { Refusal } from '../../kernel/refusal.ts'

/**
 * A body in memory, wholly or in part. `evict` ends its request; null once the body has arrived. `isOver`: it was released
 * or had to give way. What still arrives of it counts no more.
 */
type HeldBody = { address: string; bytes: number; evict: (() => void) | null; isOver: boolean }

export type BodyHold = {
  /** Refuses with UNAVAILABLE where there is no room: then nothing of the body is kept. */
  add(bytes: number): void
  /** Less is needed than was asked for. */
  giveBack(bytes: number): void
  /** The body has arrived: from now on its request is not ended to make room. */
  arrived(): void
  release(): void
}

/**
 * Bounds the memory for the bodies of all requests. Where it is full, the address that holds most, if it holds more than the
 * one that asks, loses a body that is still arriving. So nobody can fill it for others from one address.
 */
export function bodyMemory(bytesMax: number) {
  const addresses = new Map<string, { bytes: number; bodies: Set<HeldBody> }>()
  let heldBytes = 0

  const change = (body: HeldBody, bytes: number): void => {
    const own = addresses.get(body.address) ?? { bytes: 0, bodies: new Set() }
    addresses.set(body.address, own)
    own.bodies.add(body)
    own.bytes += bytes
    body.bytes += bytes
    heldBytes += bytes
  }
  const remove = (body: HeldBody): void => {
    body.isOver = true
    const own = addresses.get(body.address)
    if (!own?.bodies.delete(body)) return
    own.bytes -= body.bytes
    heldBytes -= body.bytes
    if (own.bodies.size === 0) addresses.delete(body.address)
  }
  const putBack = (body: HeldBody): void => {
    const { bytes } = body
    Object.assign(body, { isOver: false, bytes: 0 })
    change(body, bytes)
  }
  /** False, and nobody gives way, where that would not be enough. */
  const makeRoom = (bytes: number, ownBytes: number): boolean => {
    const victims: HeldBody[] = []
    while (heldBytes + bytes > bytesMax) {
      const victim = findVictim([...addresses.values()].filter((held) => held.bytes > ownBytes + bytes))
      if (victim === null) {
        victims.forEach(putBack)
        return false
      }
      remove(victim)
      victims.push(victim)
    }
    for (const { evict } of victims) evict?.()
    return true
  }

  return {
    heldBytes: () => heldBytes,
    /** @param evict ends the request, because its memory is needed. */
    hold: (address: string, evict: () => void): BodyHold => {
      const body: HeldBody = { address, bytes: 0, evict, isOver: false }
      return {
        add: (bytes) => {
          if (body.isOver) return
          if (makeRoom(bytes, addresses.get(address)?.bytes ?? 0)) {
            change(body, bytes)
            return
          }
          remove(body)
          throw new Refusal('UNAVAILABLE', { retryAfterSeconds: 5, headers: { connection: 'close' } })
        },
        giveBack: (bytes) => {
          if (!body.isOver) change(body, -bytes)
        },
        arrived: () => {
          body.evict = null
        },
        release: () => remove(body),
      }
    },
  }
}

/** The largest body that is still arriving, of the address that holds most. */
function findVictim(held: { bytes: number; bodies: Set<HeldBody> }[]): HeldBody | null {
  for (const { bodies } of held.toSorted((one, other) => other.bytes - one.bytes)) {
    const arriving = [...bodies].filter(({ evict }) => evict !== null)
    if (arriving.length > 0) return arriving.reduce((largest, body) => (body.bytes > largest.bytes ? body : largest))
  }
  return null
}
