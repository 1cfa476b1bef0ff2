// A meeting service with pages of our own: lobby, chat, captions, host controls, and sound between the pages by WebRTC.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { changes } from '../harness/changes.ts'
import { meetingRoom, type Person, type Room, type Sent } from './room.ts'

const types = { html: 'text/html; charset=utf-8', js: 'text/javascript', css: 'text/css' } as const
const files = new Map(
  ['page.html', 'page.js', 'page.css', 'peers.js', 'speech.js', 'jitsi.html', 'jitsi.js'].map((name) => [
    `/${name}`,
    readFileSync(new URL(name, import.meta.url)),
  ]),
)

export type MeetingServer = Awaited<ReturnType<typeof startMeetingServer>>

export async function startMeetingServer() {
  const { changed, until } = changes()
  const rooms = new Map<string, Room>()
  const room = (name: string): Room => {
    const known = rooms.get(name)
    if (known) return known
    const made = meetingRoom(changed)
    rooms.set(name, made)
    return made
  }
  const server = createServer(servePage)
  const sockets = new WebSocketServer({ server, maxPayload: 1_000_000 })
  sockets.on('connection', (socket, request) => serve(socket, room((request.url ?? '').split('/').at(-1) ?? '')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    base,
    room,
    link: (name: string) => `${base}/page/${name}`,
    jitsiLink: (name: string) => `${base}/jitsi/${name}`,
    /** Looks again after each change of a room. */
    until,
    close: async () => {
      for (const client of sockets.clients) client.terminate()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function servePage(request: IncomingMessage, response: ServerResponse): void {
  const { pathname } = new URL(request.url ?? '', 'http://x')
  const [, folder = ''] = pathname.split('/')
  const name = ['page', 'jitsi'].includes(folder) ? `/${folder}.html` : pathname
  const body = files.get(name)
  const extension = (name.split('.').at(-1) ?? '') as keyof typeof types
  if (!body) response.writeHead(404).end()
  else response.writeHead(200, { 'content-type': types[extension], 'cache-control': 'no-store' }).end(body)
}

type Received = Record<string, string> & { isFinal?: boolean; isHost?: boolean; isSpeaking?: boolean; signal?: unknown }

function serve(socket: WebSocket, room: Room): void {
  const send = (message: Sent) => socket.readyState === socket.OPEN && socket.send(JSON.stringify(message))
  const person: Person = { id: randomUUID(), name: '', isHost: false, send }
  const received: Record<string, (message: Received) => void> = {
    join: ({ name = '', isHost = false }) => {
      Object.assign(person, { name, isHost })
      room.join(person)
    },
    admit: ({ id = '' }) => room.admit(id),
    deny: ({ id = '' }) => room.deny(id),
    remove: ({ id = '' }) => room.remove(id),
    leave: () => room.gone(person.id),
    end: () => room.end(),
    message: ({ text = '' }) => room.settings.hasChat && room.say(person.name, text),
    caption: ({ id = '', text = '', isFinal = false }) => room.caption(person, { id, text, isFinal }),
    speaking: ({ isSpeaking = false }) => room.speaking(person.id, isSpeaking),
    signal: ({ to = '', signal }) => room.signal(person.id, to, signal),
  }
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as Received
    received[message['type'] ?? '']?.(message)
  })
  socket.on('close', () => room.gone(person.id))
  if (room.settings.gate !== 'nothing') send({ type: 'stage', stage: room.settings.gate })
}
