import { type DestinationStream, type Logger, pino } from 'pino'
import { redactSecrets } from './kernel/redaction.ts'

/**
 * Writes one line of JSON for each entry. Secrets are redacted by the names of their members, at any depth. JSON escapes
 * line ends and control characters, so that no logged value can look like another line.
 */
export function openLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are described there too; pino's own serializer would follow it and find plain objects.
      serializers: { err: (error) => error },
      formatters: { level: (label) => ({ level: label }), log: redactSecrets },
    },
    destination,
  )
}
