import { startPostgresServer } from '../../harness/postgres-server.ts'
import type { Row } from '../row.ts'
import { besideHostileFiles } from './beside-hostile-files.ts'
import { changes } from './changes.ts'
import { endingMeetings } from './ending-meetings.ts'
import { eventLoop } from './event-loop.ts'
import { indexing } from './indexing.ts'
import { interference } from './interference.ts'
import { quotes } from './quotes.ts'
import { scale } from './scale.ts'

const parts: Record<string, (count: number) => Promise<Row[]>> = {
  interference,
  'event-loop': eventLoop,
  changes,
  quotes,
  indexing,
  'hostile-files': besideHostileFiles,
  'ending-meetings': endingMeetings,
  scale: () => scale([10_000, 20_000]),
  'scale-postgres': async () => {
    await usePostgres()
    return scale([10_000, 100_000])
  },
  'indexing-postgres': async () => {
    await usePostgres()
    return indexing()
  },
  'changes-postgres': async (count) => {
    await usePostgres()
    return changes(count)
  },
}

/** What search and ask promise, one part after another or only one. `count`: of changes. */
export async function knowledge(count: number, only?: string): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, part] of Object.entries(parts).filter(([name]) => only === undefined || name === only)) {
    const found = await part(count)
    console.log(name)
    console.table(found)
    rows.push(...found.map(({ broken }) => ({ part: name, broken })))
  }
  return rows
}

/** It ends with this process. */
async function usePostgres(): Promise<void> {
  process.env['TEST_DATABASE_URL'] = (await startPostgresServer()).url
  process.env['ATRIUM_TEST_DATABASE'] = 'postgres'
}
