import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { cpus, loadavg, totalmem } from 'node:os'
import type { Plan } from './plan.ts'

/** When, where and of what a run was. Figures of two machines are not comparable; ratios nearly are. */
export type Circumstances = {
  date: string
  commit: string
  isQuick: boolean
  rounds: number
  warmUpMs: number
  measuredMs: number
  machine: { cores: number; model: string; memoryGb: number; loadBefore: number; loadAfter: number }
  versions: Record<string, string>
}

type Known = { isQuick: boolean; loadBefore: number; postgres: string }

export async function describeCircumstances(
  { rounds, warmUpMs, measuredMs }: Plan,
  { isQuick, loadBefore, postgres }: Known,
): Promise<Circumstances> {
  const cores = cpus()
  const machine = {
    cores: cores.length,
    model: cores[0]?.model.trim() ?? 'unknown',
    memoryGb: Math.round(totalmem() / 2 ** 30),
    loadBefore,
    loadAfter: loadNow(),
  }
  const packages = ['pg', '@electric-sql/pglite', 'fastify']
  const installed = await Promise.all(packages.map(async (name) => [name, await packageVersion(name)] as const))
  const versions = { node: process.versions.node, PostgreSQL: postgres, ...Object.fromEntries(installed) }
  return { date: new Date().toISOString(), commit: commit(), isQuick, rounds, warmUpMs, measuredMs, machine, versions }
}

/** Processes that wanted to run in the last minute: above the number of cores, others were measured too. */
export function loadNow(): number {
  return Number((loadavg()[0] ?? 0).toFixed(1))
}

/** What was measured; `dirty` where the files were not all those of the commit. */
function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  try {
    const measured = ['src', 'bench', 'migrations', ':!bench/results']
    const changes = git('status', '--porcelain', '--untracked-files=no', '--', ...measured)
    return `${git('rev-parse', '--short', 'HEAD')}${changes === '' ? '' : '-dirty'}`
  } catch {
    return 'unknown'
  }
}

async function packageVersion(name: string): Promise<string> {
  const manifest = new URL(`../node_modules/${name}/package.json`, import.meta.url)
  return (JSON.parse(await readFile(manifest, 'utf8')) as { version: string }).version
}
