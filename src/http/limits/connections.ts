import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Lets a server close: from the returned call on, a connection ends with its last running request, and one without a
 * request ends at once. Node by itself waits for connections that were opened ahead and have never sent anything.
 */
export function endWithLastRequest(server: Server): () => void {
  const running = new Map<Socket, number>()
  let isClosing = false
  const endIfIdle = (socket: Socket) => {
    if (isClosing && running.get(socket) === 0) socket.end()
  }
  server.on('connection', (socket) => {
    running.set(socket, 0)
    socket.once('close', () => running.delete(socket))
    endIfIdle(socket)
  })
  // It is not a connection of requests any more: whoever took it over ends it.
  server.on('upgrade', ({ socket }) => running.delete(socket))
  server.on('request', ({ socket }, response) => {
    running.set(socket, (running.get(socket) ?? 0) + 1)
    response.once('close', () => {
      running.set(socket, (running.get(socket) ?? 1) - 1)
      endIfIdle(socket)
    })
  })
  return () => {
    isClosing = true
    for (const socket of running.keys()) endIfIdle(socket)
  }
}
