import { mkdir, writeFile } from 'node:fs/promises'
import type { Circumstances } from './circumstances.ts'
import { type Figure, holds, type Limit, type Outcome, type Row } from './outcome.ts'

/** `faults`: scenarios that ended without an outcome, and why. */
export type Report = { circumstances: Circumstances; outcomes: Outcome[]; faults: string[] }

/** Writes what machines read of a run, and what people read of one that was whole. Quick runs are looked at and forgotten. */
export async function keep(report: Report, { isWhole }: { isWhole: boolean }): Promise<void> {
  const { date, commit, isQuick } = report.circumstances
  if (isQuick) return
  const moment = date.slice(0, 16).replace(/[-:]/g, '').replace('T', '-')
  const file = (name: string) => new URL(`results/${name}`, import.meta.url)
  await mkdir(file(''), { recursive: true })
  await writeFile(file(`${moment}-${commit}.json`), `${JSON.stringify(report, rounded, 1)}\n`)
  if (isWhole) await writeFile(file('latest.md'), renderReport(report))
}

/** Digits that no clock here can tell only make a file long. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(5)) : value
}

/** The whole report as Markdown, which reads as a table in a terminal too. */
function renderReport({ circumstances, outcomes, faults }: Report): string {
  const { date, commit, isQuick, rounds, warmUpMs, measuredMs, machine, versions } = circumstances
  const { cores, model, memoryGb, loadBefore, loadAfter } = machine
  const lines = [
    '# Bench',
    '',
    `${date}, commit ${commit}. ${isQuick ? '**A quick run**: short windows, fewer licenses. ' : ''}Windows of ${measuredMs} ms after ${warmUpMs} ms of warming up, ${rounds} rounds by turns; every number is a median over the rounds.`,
    '',
    `${cores} cores (${model}), ${memoryGb} GB, load ${loadBefore} before and ${loadAfter} after. ${Object.entries(
      versions,
    )
      .map(([name, version]) => `${name} ${version}`)
      .join(', ')}.`,
    '',
    ...faults.flatMap((fault) => [`**Failed:** ${fault}`, '']),
    ...outcomes.flatMap(renderSection),
  ]
  return `${lines.join('\n').trimEnd()}\n`
}

export function renderSection({ scenario, about, rows, figures }: Outcome): string[] {
  return [`## ${scenario}`, '', about, '', ...figureTable(figures), ...(rows.length > 0 ? rowTable(rows) : [])]
}

function figureTable(figures: Figure[]): string[] {
  if (figures.length === 0) return []
  const cells = figures.map((figure) => [
    figure.what,
    shown(figure.value, figure.unit),
    figure.limit === null ? '' : limitText(figure.limit, figure.unit),
    { true: 'holds', false: '**misses**', null: '' }[String(holds(figure)) as 'true' | 'false' | 'null'],
    figure.rounds.map((value) => shown(value, '')).join(' '),
  ])
  return [...renderTable(['figure', 'value', 'limit', '', 'rounds'], cells), '']
}

function rowTable(rows: Row[]): string[] {
  const head = ['measured', 'requests/s', 'p50 ms', 'p99 ms', 'CPU us', 'database us', 'memory MB', 'head + body']
  const cells = rows.map((row) => [
    row.name,
    Math.round(row.perSecond).toString(),
    shown(row.p50Ms, ''),
    shown(row.p99Ms, ''),
    row.serverUs === null ? '' : shown(row.serverUs, ''),
    row.databaseUs === null ? '' : shown(row.databaseUs, ''),
    row.memoryMb === null ? '' : String(row.memoryMb),
    row.bodyBytes === 0 ? '' : `${row.headBytes} + ${row.bodyBytes}`,
  ])
  return [...renderTable(head, cells), '']
}

function renderTable(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, at) => Math.max(3, title.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  return [line(head), `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rows.map(line)]
}

function limitText({ atLeast, atMost }: Limit, unit: Figure['unit']): string {
  if (atLeast !== undefined && atMost !== undefined) return `${atLeast} to ${shown(atMost, unit)}`
  return atLeast !== undefined ? `≥ ${shown(atLeast, unit)}` : `≤ ${shown(atMost ?? 0, unit)}`
}

/** Three digits that mean something. */
function shown(value: number, unit: Figure['unit']): string {
  const text = Math.abs(value) >= 100 ? Math.round(value).toString() : String(Number(value.toPrecision(3)))
  return unit === '' ? text : `${text} ${unit}`
}
