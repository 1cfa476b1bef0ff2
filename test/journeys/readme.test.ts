// What the README promises a newcomer: two commands to start, one paste to see it work, in the shells and with the Node that
// machines have.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { docBlock } from '../harness/doc-blocks.ts'
import { checkoutFolder, docShell, machineProgram, runInShell } from '../harness/doc-shell.ts'
import { freePort } from '../harness/free-port.ts'

const skip = process.env['ATRIUM_TEST_DATABASE'] === 'postgres' && 'the README is the same on either database'
const shells = ['bash', 'zsh'] as const
for (const shell of shells) {
  if (!skip && machineProgram(shell) === null)
    console.error(`\n!!! ${shell} is not installed: THE README IS NOT TESTED UNDER IT !!!\n`)
}

describe('the README', { skip }, () => {
  for (const shell of shells)
    test(`starts the service and shows it, pasted into ${shell}`, { timeout: 180_000 }, async (t) => {
      if (machineProgram(shell) === null) return t.skip(`${shell} is not installed`)
      const cwd = await checkoutFolder()
      const { path, calls } = await docShell()
      const port = String(await freePort())
      const env = { PATH: path, HOME: cwd, TERM: 'dumb', SHELL: shell }
      const started = await startPasted(t, shell, { cwd, env: { ...env, PORT: port, KEEP_RUNNING: '1' } })
      const node = (await runInShell(shell, 'node -v', { cwd, env })).stdout.trim()
      if (!node.startsWith('v20.'))
        t.diagnostic(`!!! The machine has Node ${node}: THE TOUR IS NOT TESTED UNDER NODE 20 !!!`)

      const script = `${docBlock('README.md', 'sh', '## A first tour')}\n`
      const toured = { ...env, BASE: `http://127.0.0.1:${port}` }
      const { stdout, stderr } = await runInShell(shell, script, { cwd, env: toured, isPasted: true })
      assert.doesNotMatch(stderr, /command not found|no matches found|unmatched|parse error|syntax error|curl:|Error/)
      const shows = [
        /^1\. The administrator creates a tenant/m,
        /\[Interface\]\nPrivateKey = [A-Za-z0-9+/]{43}=\n/,
        /"status":"ACTIVE"/,
        /"valid":true,"code":"VALID","plan":"PRO","usesRemaining":null/,
        /^In the meeting “Launch”, .*Grace \(“I will send the figures by Thursday”\)\.$/m,
      ]
      for (const pattern of shows) assert.match(stdout, pattern)
      assert.match(readFileSync(calls, 'utf8'), /^npm ci\nnpm start$/m)
      assert.ok(started.output().includes(readFileSync(join(cwd, 'data/admin-key'), 'utf8').trim()))
      await started.interrupt()
      assert.match(started.output(), /"msg":"stopped"/)
    })
})

/** `npm ci && npm start` as the README says it; `npm ci` is a stand-in. Resolves when the service has said where it listens. */
async function startPasted(t: TestContext, shell: string, { cwd, env }: { cwd: string; env: NodeJS.ProcessEnv }) {
  const commands = docBlock('README.md', 'sh')
  assert.equal(commands, 'npm ci && npm start\n')
  // A group of its own, as a terminal gives it: Ctrl-C reaches all of it.
  const child = spawn(shell, ['-c', commands], { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  const group = -(child.pid as number)
  t.after(() => {
    if (child.exitCode === null && child.signalCode === null) process.kill(group, 'SIGKILL')
  })
  let output = ''
  const said = new Promise<void>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      output += chunk
      if (/listens on[\s\S]*admin key/.test(output)) resolve()
    }
    child.stdout.on('data', look)
    child.stderr.on('data', look)
    child.once('exit', () => reject(new Error(output)))
  })
  await said
  return {
    output: () => output,
    /** Ctrl-C. Waits until everything of the group is gone. */
    interrupt: async (): Promise<void> => {
      const gone = once(child, 'close')
      process.kill(group, 'SIGINT')
      await gone
    },
  }
}
