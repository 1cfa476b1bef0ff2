import type { Wire } from '../connection.ts'
import { deepPage, pageSize, type Seeded } from '../ground/seed.ts'
import { adminKey, type Ground, startService } from '../ground/service.ts'
import { inRounds, measureLoad, type Subject } from '../measure.ts'
import { compare, type Figure, tableRows } from '../outcome.ts'
import { grounds, type Plan, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'

const lists = [
  { title: 'licenses', path: '/vault/v1/licenses', countOf: ({ licenses }: Seeded) => licenses },
  { title: 'users', path: '/admin/users', countOf: ({ users }: Seeded) => users },
]
const pages = ['first', 'deep'] as const

export const listsOnServer: Scenario = listing('lists', 'postgres')
export const listsEmbedded: Scenario = listing('lists-embedded', 'embedded')

/** One caller after the other: what a page takes, and not how many a busy server gives. */
function listing(name: string, kind: Ground['kind']): Scenario {
  const title = grounds.find((ground) => ground.kind === kind)?.title
  return {
    name,
    ...(kind === 'embedded' ? { isOptional: true } : {}),
    about: `Pages of ${pageSize} in the lists of administrators, one connection, ${title}. Deep: page ${deepPage}, or the last of fewer.`,
    run: async (plan) => {
      const programs: Program[] = []
      try {
        const subjects: Subject[] = []
        for (const size of [plan.sizes.few, plan.sizes.many]) {
          const seeded = await plan.seeded(kind, size)
          const program = await startService(seeded.ground)
          programs.push(program)
          subjects.push(...createSubjects(plan, { seeded, program }))
        }
        const seen = await inRounds(plan.rounds, subjects)
        const figures = lists.flatMap((list) => toFigures(seen, { list: list.title, ...plan.sizes }))
        return { rows: tableRows(seen), figures }
      } finally {
        for (const program of programs) await program.stop()
      }
    },
  }
}

function createSubjects(plan: Plan, { seeded, program }: { seeded: Seeded; program: Program }): Subject[] {
  const { load, warmUpMs, measuredMs, databaseMeter } = plan
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  const database = seeded.ground.kind === 'postgres' ? { database: databaseMeter } : {}
  return lists.flatMap(({ title, path, countOf }) =>
    pages.map((page) => {
      const number = page === 'first' ? 1 : Math.min(deepPage, Math.ceil(countOf(seeded) / pageSize))
      const request: Wire = {
        method: 'GET',
        path: `${path}?page=${number}&limit=${pageSize}`,
        headers: { 'x-admin-key': adminKey },
      }
      const job = { program, requests: [request], connections: 1, span, status: 200, ...database }
      return { name: subjectName(title, page, seeded.licenses), measure: () => measureLoad(load, job) }
    }),
  )
}

function subjectName(list: string, page: (typeof pages)[number], size: number): string {
  return `${list}, ${page} page, ${size} licenses`
}

function toFigures(
  seen: Parameters<typeof compare>[0],
  { list, few, many }: { list: string; few: number; many: number },
): Figure[] {
  const read = (one: { p50Ms: number }) => one.p50Ms
  const growth = pages.map((page) =>
    compare(seen, {
      what: `${list}, ${page} page: p50 with ${many} / with ${few}`,
      of: subjectName(list, page, many),
      by: subjectName(list, page, few),
      read,
    }),
  )
  const depth = compare(seen, {
    what: `${list} of ${many}: p50 deep / first page`,
    of: subjectName(list, 'deep', many),
    by: subjectName(list, 'first', many),
    read,
  })
  return [...growth, depth]
}
