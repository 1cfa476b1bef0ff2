import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack } from './attack.ts'

const connections = 800
const missingBytes = 6
const body = Buffer.alloc(1024 * 1024 - missingBytes, 'x')
// Together they have more connections than one address may have.
const addresses = ['127.0.0.3', '127.0.0.4']
const heldMs = 12_000

type Ends = Record<string, number>

export const stoppedBodies: Attack = {
  name: '800 connections that stop 6 bytes short of 1 MiB',
  run: async ({ base }) => {
    const { port } = new URL(base)
    const ends: Ends = {}
    const sockets = Array.from({ length: connections }, (_, index) =>
      stoppedBody({ port: Number(port), localAddress: addresses[index % addresses.length] as string }, ends),
    )
    await delay(heldMs)
    const shown = Object.entries(ends).map(([end, times]) => `${times} x ${end}`)
    const open = sockets.filter(({ destroyed }) => !destroyed).length
    // They stay open: memory must come back by itself.
    setTimeout(() => {
      for (const socket of sockets) socket.destroy()
    }, 2 * heldMs).unref()
    assert.equal(open, 0, `${open} are still open; ${shown.join(', ')}`)
    return shown.join(', ')
  },
}

function stoppedBody(from: { port: number; localAddress: string }, ends: Ends): Socket {
  const socket = connect({ host: '127.0.0.1', ...from })
  const head = [
    'POST /assistant/v1/webhooks/inbound/issue-tracker HTTP/1.1',
    'Host: attacked',
    'Content-Type: application/json',
    `Content-Length: ${body.length + missingBytes}`,
  ]
  let answer = ''
  socket.on('data', (data) => {
    answer += data
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    const end = /^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 'no answer'
    ends[end] = (ends[end] ?? 0) + 1
  })
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  socket.write(body)
  return socket
}
