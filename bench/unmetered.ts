// Loaded into the service with --import: nothing is counted in the transaction of its use, and no limit holds.
import { registerHooks } from 'node:module'

const unmetered = `
  import { run } from '../../storage/query.ts'
  const nothing = async () => []
  const onlyWrite = async (tx, use, write) => { if (write) await run(tx, write); return [] }
  export const meteringService = () => ({
    count: onlyWrite, countAnyway: onlyWrite, countWithin: async () => ({ isWithin: true, usage: [] }),
    countAnswer: async (scope, use, give) => ({ ...(await give(true)), usage: [] }), requireLeft: nothing, left: async () => null, uncount: nothing,
    reserve: async (scope, subject, amount) => ({ id: '', amount }), settle: async () => true,
  })`

registerHooks({
  load: (url, context, next) =>
    url.endsWith('/src/usage/meters/metering.service.ts')
      ? { format: 'module', source: unmetered, shortCircuit: true }
      : next(url, context),
})
