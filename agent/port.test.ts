import assert from 'node:assert/strict'
import { createSocket, type SocketType } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { requireFreePort } from './port.ts'
import { systemRun } from './run.ts'

const run = systemRun(undefined)
const holders: [SocketType, string][] = [
  ['udp4', '0.0.0.0'],
  ['udp4', '127.0.0.1'],
  ['udp6', '::1'],
]
for (const [type, address] of holders) {
  test(`a port that another program has at ${address} is refused, and accepted once it is free`, async () => {
    const socket = createSocket({ type, ipv6Only: type === 'udp6' })
    socket.bind({ port: 0, address, exclusive: true })
    await once(socket, 'listening')
    const { port } = socket.address()
    await assert.rejects(requireFreePort(run, port, 0), new RegExp(`UDP port ${port} is taken`))
    const waiting = requireFreePort(run, port)
    socket.close()
    await waiting
  })
}

test('what only this machine’s rules forbid is left to WireGuard', async () => {
  const answers: string[][] = []
  await requireFreePort(
    async (_command, args) => {
      answers.push(args)
      return ''
    },
    443,
    0,
  )
  assert.equal(answers[0]?.at(-1), '443')
})
