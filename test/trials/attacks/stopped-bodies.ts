import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Attack, AttackTarget } from './attack.ts'

const connections = 800
/**
 * 1,000 connections a second. The attacker shares the processors of the service: writing all bodies at once, it would keep
 * them from the service, and the trial would measure itself.
 */
const connectionsAtOnce = 20
const betweenMs = 20
const missingBytes = 6
const body = Buffer.alloc(1024 * 1024 - missingBytes, 'x')
// Together they have more connections than one address may have.
const addresses = ['127.0.0.3', '127.0.0.4']
const heldMs = 12_000

type Ends = Record<string, number>

export const stoppedBodies = stopping('800 connections that stop 6 bytes short of 1 MiB', {
  header: `Content-Length: ${body.length + missingBytes}`,
  before: '',
})

export const stoppedChunks = stopping('800 connections that stop before 1 MiB, which they do not announce', {
  header: 'Transfer-Encoding: chunked',
  before: `${(body.length + missingBytes).toString(16)}\r\n`,
})

/** How the size is said: by a header, or before the body. */
type Announcing = { header: string; before: string }

function stopping(name: string, announcing: Announcing): Attack {
  return { name, run: (target) => stopAll(target, announcing) }
}

async function stopAll({ base }: AttackTarget, announcing: Announcing): Promise<string> {
  const { port } = new URL(base)
  const ends: Ends = {}
  const sockets: Socket[] = []
  for (let index = 0; index < connections; index++) {
    if (index % connectionsAtOnce === 0) await delay(betweenMs)
    sockets.push(
      stoppedBody(
        { port: Number(port), localAddress: addresses[index % addresses.length] as string },
        announcing,
        ends,
      ),
    )
  }
  await delay(heldMs)
  const shown = Object.entries(ends).map(([end, times]) => `${times} x ${end}`)
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  // They stay open until the attacker is stopped: memory must come back by itself.
  assert.equal(open, 0, `${open} are still open; ${shown.join(', ')}`)
  return shown.join(', ')
}

function stoppedBody(from: { port: number; localAddress: string }, { header, before }: Announcing, ends: Ends): Socket {
  const socket = connect({ host: '127.0.0.1', ...from })
  const head = [
    'POST /assistant/v1/webhooks/inbound/issue-tracker HTTP/1.1',
    'Host: attacked',
    'Content-Type: application/json',
    header,
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
  socket.write(`${head.join('\r\n')}\r\n\r\n${before}`)
  socket.write(body)
  return socket
}
