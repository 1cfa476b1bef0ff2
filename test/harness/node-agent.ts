// The agent of a VPN server as an operator starts it, in a lab, and packets through what it makes.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changes } from './changes.ts'
import type { Lab, Place } from './tunnel-lab.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

export type Agent = ReturnType<typeof startAgent>

export type AgentOptions = { base: string; enrollmentToken: string; interfaceName: string }

export function startAgent(lab: Lab, { base, enrollmentToken, interfaceName }: AgentOptions, ...more: string[]) {
  const child = lab.start(
    undefined,
    process.execPath,
    ...[join(root, 'scripts/node24.js'), join(root, 'agent/main.ts')],
    ...['--url', base, '--token', enrollmentToken, '--interface', interfaceName],
    ...['--state', join(lab.folder, 'state'), '--netns', lab.spaces.server, '--report-seconds', '1'],
    ...more,
  )
  const { output, until: untilOutput } = outputOf(child)
  const ended = once(child, 'exit').then(([code]) => code as number | null)
  return {
    output,
    ended,
    hold: () => child.kill('SIGSTOP'),
    goOn: () => child.kill('SIGCONT'),
    says: (message: string) => untilOutput(() => output().includes(message)),
    end: (signal: NodeJS.Signals) => {
      child.kill(signal)
      return ended
    },
  }
}

function outputOf(child: ChildProcess) {
  const { changed, until } = changes()
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      changed()
    })
  }
  return { output: () => text, until }
}

/** A packet every 50 ms until `end`. */
export function startPings(lab: Lab, place: Place, address: string) {
  const child = lab.start(place, 'ping', '-n', '-D', '-i0.05', '-W1', address)
  const { output } = outputOf(child)
  const ended = once(child, 'close')
  return {
    end: async () => {
      // The last one sent may be on its way.
      await delay(200)
      child.kill('SIGINT')
      await ended
      const replies = [...output().matchAll(/^\[(\d+\.\d+)\].*icmp_seq=(\d+)/gm)]
      const atMs = replies.map(([, seconds]) => Number(seconds) * 1000)
      const numbers = new Set(replies.map(([, , sequence]) => Number(sequence)))
      const gapMs = Math.max(0, ...atMs.slice(1).map((ms, at) => ms - (atMs[at] as number)))
      // Counted between the first and the last reply, so that neither start nor end has to be met.
      const lost = Math.max(0, ...numbers) - Math.min(...numbers) + 1 - numbers.size
      return { received: numbers.size, lost, gapMs: Math.round(gapMs), lastReplyAtMs: atMs.at(-1) ?? 0 }
    },
  }
}

/** The machine may be slow; what is awaited comes long before. */
export async function until(isSo: () => boolean | Promise<boolean>, what: () => string = () => ''): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, what())
    await delay(20)
  }
}
