import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { checkAuthenticity } from '../../../src/mime/authenticity.ts'
import type { Row } from '../row.ts'
import { addresses, authenticityCases, isOurs, records, resolve } from './authenticity-cases.ts'

type Verdicts = { spf: string; dkim: string; dmarc: string; arc: string }

/**
 * Compares what is found about SPF, DKIM, DMARC and ARC with pyspf, dkimpy and authheaders (Debian's python3-spf, python3-dkim and
 * python3-authheaders). Prints the cases that differ.
 */
export async function mailAuthenticity(): Promise<Row[]> {
  const cases = (await authenticityCases()).map((it) => ({ ...it, helo: `mx.${it.from.split('@')[1]}` }))
  const sent = cases.map(({ raw, ...it }) => ({ ...it, raw: Buffer.from(raw).toString('base64') }))
  const verifiers = fileURLToPath(new URL('./verifiers.py', import.meta.url))
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', [verifiers], {
    input: JSON.stringify({ records, addresses, cases: sent }),
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`The independent verifiers failed: ${stderr}`)
  const theirs = JSON.parse(stdout) as Verdicts[]
  const rows: Row[] = []
  for (const [index, { name, raw, from, ip, helo }] of cases.entries()) {
    const envelope = { from, client: { ip, helo } }
    const { verdicts } = await checkAuthenticity(Buffer.from(raw), envelope, { resolve, hostname: 'mx.example.org' })
    const [ours, other] = [shown(verdicts), shown(theirs[index] ?? {})]
    if (ours !== other) rows.push({ name, ours, theirs: other, broken: 'differs' })
    else if (isOurs({ name }) && !ours.includes('dkim pass, dmarc pass'))
      rows.push({ name, ours, theirs: other, broken: 'our signature does not hold' })
  }
  return [...rows, { name: `${cases.length} cases`, ours: '', theirs: '', broken: rows.length > 0 ? 'differ' : '' }]
}

/** A signature that cannot be checked is one that fails: the words for it differ. */
const failing = ['neutral', 'policy', 'temperror', 'permerror']

function shown({ spf = 'none', dkim = 'none', dmarc = 'none', arc = 'none' }: Partial<Verdicts>): string {
  return `spf ${spf}, dkim ${failing.includes(dkim) ? 'fail' : dkim}, dmarc ${dmarc}, arc ${arc}`
}
