// The bot runner: one process that joins meetings with Chromium, for bots of the platform. It imports nothing of the service.
import { loadOrEnroll, nextEpoch } from './enrollment.ts'
import { type Folder, openFolder } from './folder.ts'
import { errorMessage, type Log, openLog } from './log.ts'
import { isHelpWanted, readOptions, UsageError, usage } from './options.ts'
import { outbox, readMessages } from './outbox.ts'
import { runner } from './runner.ts'
import { Refused, type ServiceClient, serviceClient } from './service-client.ts'

const runnerVersion = '0.1.0'
/** A restart does not help with 3 and 4. */
const exitCodes = { stopped: 0, failed: 1, 'wrong use': 2, superseded: 3, 'token refused': 4 } as const
/** Less than any supervisor waits before it kills. */
const exitMs = 15_000

const log = openLog((line) => process.stdout.write(line))

async function main(args: string[], signal: AbortSignal): Promise<keyof typeof exitCodes> {
  if (isHelpWanted(args)) {
    process.stdout.write(`${usage}\n`)
    return 'stopped'
  }
  const options = readOptions(args, process.env)
  const folder = await openFolder(options.stateFolder)
  const outboxFolder = await openFolder(folder.path('outbox'))
  const profileFolder = await openFolder(folder.path('profiles'))
  await removeProfiles(profileFolder)
  const epoch = await nextEpoch(folder, Date.now())
  let token = ''
  const service = serviceClient(options.url, { token: () => token, epoch })
  token = await loadOrEnroll({ folder, options, service, runnerVersion, log })
  await resumeOutboxes(outboxFolder, service, log)
  log.info('Ready for bots', { slots: options.slots, hears: options.speechToText ? 'each participant' : 'captions' })
  return runner({ options, service, outboxFolder, profileFolder, log }, signal)
}

/** A browser that was killed with its runner cannot delete its profile in every case. */
async function removeProfiles(profiles: Folder): Promise<void> {
  for (const name of await profiles.names()) await profiles.remove(name)
}

/** Sends what a killed runner had not sent yet. The platform refuses it if another runner has the bot by now. */
async function resumeOutboxes(folder: Folder, service: ServiceClient, log: Log): Promise<void> {
  for (const name of await folder.names()) {
    const messages = readMessages((await folder.read(name)) ?? '')
    const resumed = outbox(
      { folder, name, service, log, wallMs: Date.now, ageMsMax: 600_000, onLeaseLost: () => void resumed.discard() },
      messages,
    )
    if (messages.length === 0) await resumed.discard()
  }
}

function stopOnSignal(): AbortSignal {
  const stopping = new AbortController()
  const exit = () => process.exit(exitCodes.stopped)
  const stop = () => {
    if (stopping.signal.aborted) exit()
    stopping.abort()
    setTimeout(exit, exitMs)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop)
  return stopping.signal
}

/** Ends the process in every case: a timer or a connection that is left must not keep a failed runner from its restart. */
async function exit(): Promise<never> {
  const signal = stopOnSignal()
  let code: number = exitCodes.failed
  try {
    const ending = await main(process.argv.slice(2), signal)
    if (ending === 'superseded') log.error('A newer start of this runner has taken over, so this one stops')
    if (ending === 'token refused') log.error('The platform no longer accepts this runner. Enroll it again')
    code = exitCodes[ending]
  } catch (error) {
    if (error instanceof UsageError) {
      code = exitCodes['wrong use']
      process.stderr.write(`${error.message}\n\n${usage}\n`)
    } else if (error instanceof Refused && error.status === 401) {
      code = exitCodes['token refused']
      log.error('The platform refused the enrollment token: it works only once and for 15 minutes')
    } else log.error('The runner failed', { reason: errorMessage(error) })
  }
  process.exit(code)
}
await exit()
