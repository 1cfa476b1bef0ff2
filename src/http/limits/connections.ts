import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Lets a server close. After calling the returned function, connections end with their last running request, and idle ones
 * at once. Node by itself would wait for connections that never sent anything.
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
  // After an upgrade the connection belongs to the WebSocket code, which closes it.
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
