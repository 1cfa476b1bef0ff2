import type { Ground } from '../ground/service.ts'
import { startService } from '../ground/service.ts'
import { inRounds, measureLoad, type Subject } from '../measure.ts'
import { compare, tableRows } from '../outcome.ts'
import { grounds, type Scenario } from '../plan.ts'
import type { Program } from '../program.ts'
import { questions } from './validate.ts'

/** Few, so that p50 is the time of an answer and not of a queue. */
const connections = 4

export const scaleOnServer: Scenario = scaling('scale', 'postgres')
export const scaleEmbedded: Scenario = scaling('scale-embedded', 'embedded')

function scaling(name: string, kind: Ground['kind']): Scenario {
  const title = grounds.find((ground) => ground.kind === kind)?.title
  return {
    name,
    ...(kind === 'embedded' ? { isOptional: true } : {}),
    about: `Validate among few and among many licenses, ${connections} connections, ${title}.`,
    run: async ({ rounds, load, warmUpMs, measuredMs, sizes, databaseMeter, seeded }) => {
      const { few, many } = sizes
      const span = { kind: 'window', warmUpMs, measuredMs } as const
      const database = kind === 'postgres' ? { database: databaseMeter } : {}
      const programs: Program[] = []
      try {
        const subjects: Subject[] = []
        for (const size of [few, many]) {
          const filled = await seeded(kind, size)
          const program = await startService(filled.ground)
          programs.push(program)
          const job = { program, requests: questions(filled), connections, span, status: 200, ...database }
          subjects.push({ name: subjectName(size), measure: () => measureLoad(load, job) })
        }
        const seen = await inRounds(rounds, subjects)
        const growth = compare(seen, {
          what: `p50 with ${many} / with ${few}`,
          of: subjectName(many),
          by: subjectName(few),
          read: (one) => one.p50Ms,
          limit: { atMost: 1.2 },
        })
        return { rows: tableRows(seen), figures: [growth] }
      } finally {
        for (const program of programs) await program.stop()
      }
    },
  }
}

function subjectName(size: number): string {
  return `${size} licenses`
}
