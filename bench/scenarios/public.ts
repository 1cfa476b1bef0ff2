import pg from 'pg'
import { ask, fetchText } from '../ground/ask.ts'
import { adminKey, type Ground, startService } from '../ground/service.ts'
import { inRounds, type Measurement, measureLoad, type Subject } from '../measure.ts'
import { compare, type Figure, processorUs, tableRows } from '../outcome.ts'
import type { Plan, Scenario } from '../plan.ts'
import { type Program, startProgram } from '../program.ts'

const connections = 16
/** In the whole table, and of those the ones that are asked for: the others are not read by anybody. */
const sizes = [100, 100_000]
const asked = 100
const floor = 'floor: bare server, one named query'

const page = {
  title: 'About us',
  sections: [
    { type: 'hero', content: { heading: 'Welcome', subheading: 'To the fastest pages there are.' } },
    { type: 'rich_text', content: { markdown: 'Some **words** of a page. '.repeat(20) } },
    { type: 'cta', content: { heading: 'Go on', text: 'There is more.', ctas: [{ label: 'Docs', href: '/docs' }] } },
  ],
  meta: { title: 'About us', description: 'A page of the bench.' },
}

/** Pages by slug as visitors read them, views counted, among few and among many; and a product. */
export const publicReads: Scenario = {
  name: 'public',
  about: `Pages and a product read by slug, ${connections} connections, views counted; ${asked} pages asked for of the ones there are.`,
  run: async (plan) => {
    const programs: Program[] = []
    const start = async (program: Promise<Program>) => {
      programs.push(await program)
      return program
    }
    try {
      const subjects: Subject[] = []
      for (const size of sizes) {
        const ground = await plan.empty('postgres')
        const service = await start(startService(ground))
        await fill(ground, { service, size })
        subjects.push(subject(plan, { name: pagesTitle(size), program: service, paths: samplePaths('/cms/pages') }))
        if (size !== sizes[0]) continue
        const environment = { DATABASE_URL: ground.url ?? '' }
        const bare = await start(startProgram({ args: ['bench/floors/page.ts'], environment }))
        await refuseOtherAnswers(service, bare)
        subjects.push(subject(plan, { name: floor, program: bare, paths: samplePaths('/pages') }))
        subjects.push(subject(plan, { name: 'product', program: service, paths: ['/products/vault-vpn'] }))
      }
      const seen = await inRounds(plan.rounds, subjects)
      return { rows: tableRows(seen), figures: toFigures(seen) }
    } finally {
      for (const program of programs) await program.stop()
    }
  },
}

function pagesTitle(size: number): string {
  return `page of ${size}`
}

function samplePaths(folder: string): string[] {
  return Array.from({ length: asked }, (_, at) => `${folder}/page-${at}`)
}

function subject(plan: Plan, { name, program, paths }: { name: string; program: Program; paths: string[] }): Subject {
  const { load, warmUpMs, measuredMs, databaseMeter: database } = plan
  const requests = paths.map((path) => ({
    method: 'GET' as const,
    path,
    headers: { 'user-agent': `Mozilla/5.0 (${path})` },
  }))
  const span = { kind: 'window', warmUpMs, measuredMs } as const
  return { name, measure: () => measureLoad(load, { program, requests, connections, span, status: 200, database }) }
}

/** One page is written as an editor writes it; the others are its copies. */
async function fill({ url }: Ground, { service, size }: { service: Program; size: number }): Promise<void> {
  const headers = { 'x-admin-key': adminKey }
  await ask(service, { path: '/admin/cms/pages', headers, body: { slug: 'page-0', ...page } })
  const client = new pg.Client({ connectionString: url ?? '' })
  await client.connect()
  try {
    await client.query(
      `insert into content_pages select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'slug', 'page-' || n))).*
        from content_pages p, generate_series(1, ${size - 1}) n where p.slug = 'page-0'`,
    )
    await client.query('analyze content_pages')
    await client.query('create table bench_pages (slug text primary key, status text not null, body text not null)')
    for (const path of samplePaths('/cms/pages')) {
      const slug = path.split('/').at(-1)
      await client.query(`insert into bench_pages values ($1, 'PUBLISHED', $2)`, [
        slug,
        await fetchText(service, { path, headers: {} }),
      ])
    }
  } finally {
    await client.end()
  }
}

async function refuseOtherAnswers(service: Program, bare: Program): Promise<void> {
  const texts = await Promise.all([
    fetchText(service, { path: '/cms/pages/page-7', headers: {} }),
    fetchText(bare, { path: '/pages/page-7', headers: {} }),
  ])
  if (texts[0] !== texts[1]) throw new Error(`The floor does not answer what the service answers:\n${texts.join('\n')}`)
}

function toFigures(seen: Map<string, Measurement[]>): Figure[] {
  const read = processorUs
  const [few = 0, many = 0] = sizes
  const over = (of: string) =>
    compare(seen, { what: `${of}: CPU a request / floor`, of, by: floor, read, limit: { atMost: 1 } })
  return [
    ...[pagesTitle(few), pagesTitle(many), 'product'].map(over),
    compare(seen, {
      what: `CPU a request, page of ${many} / of ${few}`,
      of: pagesTitle(many),
      by: pagesTitle(few),
      read,
    }),
  ]
}
