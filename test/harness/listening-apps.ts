import { after } from 'node:test'
import type { SocketSettings } from '../../src/http/sockets/socket-declaration.ts'
import { type TestApp, testApp } from './app.ts'
import type { TestClock } from './clock.ts'

/** Starts apps that accept connections. They are closed after the file's tests. */
export function listeningApps(clock: TestClock) {
  const servers: TestApp[] = []
  after(async () => void (await Promise.all(servers.map(({ app }) => app.server.close()))))

  return async (
    sockets: Partial<SocketSettings> = {},
    overrides: Omit<Parameters<typeof testApp>[0], 'sockets' | 'clock'> = {},
  ): Promise<{ app: TestApp; base: string }> => {
    const started = await testApp({ clock, sockets: { accessCheckMs: 20, ...sockets }, ...overrides })
    const base = await started.app.server.listen({ host: '127.0.0.1', port: 0 })
    servers.push(started)
    return { app: started, base }
  }
}
