// Runs the commands of the documents in a folder that looks like a checkout, with the Node and npm of the machine. Programs that
// would change the machine or take an hour are replaced by stand-ins, which check their arguments where there is something to check.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, symlinkSync } from 'node:fs'
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from './service.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A program of the machine itself, and not one that npm brought. */
export function machineProgram(name: string): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null
}

/** The files of the repository, as links, without the data of anybody who works in it. */
export async function checkoutFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const names = readdirSync(root).filter((name) => name !== 'data' && name !== '.git')
  for (const name of names) symlinkSync(join(root, name), join(folder, name))
  return folder
}

/** `calls`: where the stand-ins write what they were asked. */
export type DocShell = { path: string; calls: string }

/** Stand-ins, then the programs of the machine. */
export async function docShell(): Promise<DocShell> {
  const folder = join(await temporaryFolder(), 'bin')
  await mkdir(folder)
  const calls = join(dirname(folder), 'calls')
  await writeFile(calls, '')
  const machineNode = machineProgram('node') ?? assert.fail('There is no Node beside the one that npm brings.')
  const npm = machineProgram('npm') ?? assert.fail('There is no npm.')
  const note = `echo "$(basename "$0") $*" >> '${calls}'`
  const stands: Record<string, string> = {
    npm: npmStandIn({ note, npm, calls }),
    node: nodeStandIn({ note, node: machineNode }),
    ...Object.fromEntries(['apt', 'git', 'journalctl', 'sysctl', 'systemctl'].map((name) => [name, note])),
  }
  for (const [name, script] of Object.entries(stands)) {
    await writeFile(join(folder, name), `#!/bin/bash\nset -euo pipefail\n${script}\n`)
    await chmod(join(folder, name), 0o755)
  }
  const others = (process.env['PATH'] ?? '').split(delimiter).filter((path) => !path.includes('node_modules'))
  return { path: [folder, dirname(machineNode), ...others].join(delimiter), calls }
}

/**
 * `npm start` ends once the service listens, unless KEEP_RUNNING is set. `npm test`, `npm run bench` and `npm run trials` check
 * only that what they are asked for exists: they would run this test again, or for half an hour. `npm run verify` takes 3 s of a
 * processor: after the first time it checks only that the file is there.
 */
function npmStandIn({ note, npm, calls }: Record<'note' | 'npm' | 'calls', string>): string {
  return `
${note}
case "$1 \${2:-}" in
  "ci "*) ;;
  "start "*)
    if [ -n "\${KEEP_RUNNING:-}" ]; then exec '${npm}' "$@"; fi
    output=$(mktemp)
    PORT=0 setsid '${npm}' "$@" >"$output" 2>&1 & server=$!
    until grep -q 'admin key' "$output"; do kill -0 $server 2>/dev/null || { cat "$output" >&2; exit 1; }; sleep 0.1; done
    cat "$output"
    kill -INT -- -$server; wait $server || true ;;
  "test "*) shift; for file in "$@"; do case $file in --|pglite|postgres|-*) ;; *) [ -e "$file" ] ;; esac; done ;;
  "run bench")
    shift 2
    for name in "$@"; do case $name in --|--quick|--rounds|[0-9]*) ;; *) grep -rqs "name: '$name'" bench/scenarios ;; esac; done ;;
  "run trials") [ "$3" = -- ]; grep -qE "^  '?$4'?: \\{ rounds" test/trials/run.ts ;;
  "run verify"|"run -s")
    if [[ " $* " = *" verify "* && " $* " != *" --unsealed "* && -e '${calls}.verified' ]]; then [ -e "\${@: -1}" ]
    else
      if [[ " $* " = *" verify "* ]]; then touch '${calls}.verified'; fi
      exec '${npm}' "$@"
    fi ;;
  *) exec '${npm}' "$@" ;;
esac`
}

/** A VPN server has Node 24. Starting the agent needs its network; its options are read. */
function nodeStandIn({ note, node }: { note: string; node: string }): string {
  return `
case "\${1:-}" in
  */agent/main.ts)
    ${note}
    '${process.execPath}' --input-type=module -e \
      "(await import('file://$(dirname "$1")/options.ts')).readOptions(process.argv.slice(1), {})" -- "\${@:2}" ;;
  *) exec '${node}' "$@" ;;
esac`
}

export type ShellOutcome = { code: number | null; stdout: string; stderr: string }

/** `pasted`: the shell reads the commands from its input, as an interactive one with no start files. */
export async function runInShell(
  shell: 'bash' | 'zsh',
  script: string,
  options: { cwd: string; env: NodeJS.ProcessEnv; isPasted?: boolean },
): Promise<ShellOutcome> {
  const { cwd, env, isPasted = false } = options
  const args = isPasted ? [...(shell === 'zsh' ? ['-f'] : ['--norc', '--noprofile']), '-i', '-s'] : ['-c', script]
  const child = spawn(shell, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  // A shell may end before it has read all.
  child.stdin.on('error', () => undefined).end(isPasted ? script : '')
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve) => child.once('close', resolve)),
  ])
  return { code, stdout, stderr }
}
