/** What is checked, in this order. */
export const traceSteps = [
  'parsed',
  'authentic',
  'automatic',
  'suppressed',
  'addressed',
  'threaded',
  'allowed',
  'quota',
  'retrieved',
  'drafted',
  'mode',
] as const
export type TraceStep = (typeof traceSteps)[number]

/** `stopped`: nothing is answered, and no later step is looked at. `held`: the answer waits for a person. */
export type TraceResult = 'passed' | 'held' | 'stopped'

/** `detail` is for people. It holds no word of the mail and no address. */
export type TraceLine = { step: TraceStep; result: TraceResult; cause: ReplyCause | null; detail: string }

/** Why nothing is answered, or why an answer waits for a person. */
export const replyCauses = [
  'QUARANTINED',
  'NOT_AUTHENTIC',
  'UNPROVEN_SENDER',
  'AUTOMATIC',
  'ASKED_TO_STOP',
  'SUPPRESSED',
  'NOT_ADDRESSED',
  'STRANGER_IN_THREAD',
  'SENDER_NOT_ALLOWED',
  'REPEATED',
  'QUOTA_SPENT',
  'NO_QUESTION',
  'NOTHING_FOUND',
  'UNAVAILABLE',
  'MODE_OFF',
  'MODE_DRAFT',
  'COMMAND',
] as const
export type ReplyCause = (typeof replyCauses)[number]

/** What happens to a mail: it is left alone, an answer waits for approval or is sent, or the command in it was carried out. */
export const replyOutcomes = ['ignored', 'draft', 'sent', 'command'] as const
export type ReplyOutcome = (typeof replyOutcomes)[number]

export type Trace = readonly TraceLine[]

/** The cause that decided: of the step that stopped, else of the first that held the answer back. */
export function decidingCause(trace: Trace): ReplyCause | null {
  if (isCommand(trace)) return 'COMMAND'
  const stopped = trace.find(({ result }) => result === 'stopped')
  return (stopped ?? trace.find(({ result }) => result === 'held'))?.cause ?? null
}

const isCommand = (trace: Trace): boolean => trace.some(({ cause }) => cause === 'COMMAND')

export function traceOutcome(trace: Trace): ReplyOutcome {
  if (isCommand(trace)) return 'command'
  if (trace.some(({ result }) => result === 'stopped')) return 'ignored'
  return trace.some(({ result }) => result === 'held') ? 'draft' : 'sent'
}
