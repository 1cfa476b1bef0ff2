import { AtriumError } from '@atrium/sdk/admin'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

export type Act<Args extends unknown[], Result> = {
  run: (...args: Args) => Promise<Result | undefined>
  isRunning: boolean
  error: unknown
  /** Messages for the fields of the body, by name. */
  fieldErrors: Record<string, string>
  reset: () => void
}

/** One request that changes something. Afterwards everything on the screen is asked again. */
export function useAct<Args extends unknown[], Result>(
  send: (...args: Args) => Promise<Result>,
  onDone?: (result: Result) => void,
): Act<Args, Result> {
  const queries = useQueryClient()
  const [isRunning, setIsRunning] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (...args: Args) => {
    setIsRunning(true)
    setError(null)
    try {
      const result = await send(...args)
      onDone?.(result)
      void queries.invalidateQueries()
      return result
    } catch (failure) {
      setError(failure)
      return undefined
    } finally {
      setIsRunning(false)
    }
  }
  return { run, isRunning, error, fieldErrors: fieldErrorsOf(error), reset: () => setError(null) }
}

function fieldErrorsOf(error: unknown): Record<string, string> {
  if (!(error instanceof AtriumError)) return {}
  return Object.fromEntries(error.errors.map(({ path, message }) => [path.replace(/^\/body\//, ''), message]))
}
