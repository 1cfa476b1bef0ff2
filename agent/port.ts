import { setTimeout as delay } from 'node:timers/promises'
import type { Run } from './run.ts'

const retryMs = 200
/** A WireGuard that was just told to end gives its port back soon. */
const waitMsMax = 2_000

// A process of its own, because it may have to look into a network namespace. WireGuard takes the port for both families.
// Anything but a taken port is not ours to judge: WireGuard may be allowed to use a low port, and IPv6 may be off.
const probe = `
  const { createSocket } = require('node:dgram')
  for (const type of ['udp4', 'udp6']) {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' })
    socket.on('error', ({ code }) => {
      if (code === 'EADDRINUSE') console.log('taken')
      socket.close()
    })
    socket.bind({ port: Number(process.argv[1]), exclusive: true }, () => socket.close())
  }`

/** Rejects if another program has the UDP port. */
export async function requireFreePort(run: Run, port: number, waitMs = waitMsMax): Promise<void> {
  const deadline = performance.now() + waitMs
  while ((await run(process.execPath, ['-e', probe, String(port)])).includes('taken')) {
    if (performance.now() >= deadline)
      throw new Error(
        `UDP port ${port} is taken by another program. Stop it, or give the server another endpoint port.`,
      )
    await delay(retryMs)
  }
}
