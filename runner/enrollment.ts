import { createHash } from 'node:crypto'
import type { Folder } from './folder.ts'
import type { Log } from './log.ts'
import { type Options, UsageError } from './options.ts'
import { platforms } from './protocol.ts'
import { Refused, type ServiceClient } from './service-client.ts'

type Known = { runnerToken: string; enrolledWith: string }

const file = 'runner.json'

type Deps = {
  folder: Folder
  options: Options
  service: Pick<ServiceClient, 'enroll'>
  runnerVersion: string
  log: Log
}

/** The token of the runner: the stored one, or that of a new enrollment. A token that was already used is not tried again. */
export async function loadOrEnroll({ folder, options, service, runnerVersion, log }: Deps): Promise<string> {
  const text = await folder.read(file)
  const known = text === undefined ? undefined : (JSON.parse(text) as Known)
  const { token, slots } = options
  const enrolledWith = token === undefined ? '' : createHash('sha256').update(token).digest('hex')
  if (known && (token === undefined || known.enrolledWith === enrolledWith)) return known.runnerToken
  if (token === undefined) throw new UsageError('This runner is not enrolled yet: pass --token')
  try {
    const { runnerToken, runner } = await service.enroll(token, { runnerVersion, platforms: [...platforms], slots })
    await folder.write(file, JSON.stringify({ runnerToken, enrolledWith }))
    log.info('Enrolled', { runner: runner.name })
    return runnerToken
  } catch (error) {
    if (!known || !(error instanceof Refused)) throw error
    log.warn('The enrollment token was refused; continuing with the earlier enrollment')
    return known.runnerToken
  }
}

/** Greater than that of every earlier start, even if the clock was set back. */
export async function nextEpoch(folder: Folder, nowMs: number): Promise<number> {
  const epoch = Math.max(nowMs, Number((await folder.read('epoch')) ?? 0) + 1)
  await folder.write('epoch', `${epoch}\n`)
  return epoch
}
