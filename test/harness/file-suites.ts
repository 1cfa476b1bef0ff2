// The one file that the test runner is given: each test file becomes a suite of its own. As top-level files of one process
// they would all run their `before` hooks first and their `after` hooks last, so every database stayed open to the end.
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { after, before, describe } from 'node:test'
import { endApps } from './app.ts'
import { dropJobsSince } from './database.ts'
import { loading, processorSeconds, processorSecondsOf } from './processor-time.ts'
import { removeTemporaryFolders } from './service.ts'
import { unhookPromises } from './unhooked-promises.ts'

/** The files, as JSON. */
const files: string[] = JSON.parse(process.env['ATRIUM_TEST_FILES'] ?? '[]')

// Not `import`: it makes promises. The test runner follows each of them until the tests begin, and loading takes twice as long.
const load = createRequire(import.meta.url)

let running = ''

for (const file of files) {
  describe(file, () => {
    let start = new Date()
    let usedBefore = 0
    before(() => {
      running = file
      start = new Date()
      usedBefore = processorSeconds()
      if (processorSecondsOf.size > 0) return
      processorSecondsOf.set(loading, usedBefore)
      // Not earlier: while files are loaded, the hook knows to which of them a test belongs.
      unhookPromises(() => running)
    })
    // Refuses a file that awaits at its top level, or imports one: tests behind that would belong to no file. Use `before`.
    load(resolve(file))
    // The next file's clock may be days ahead. It would run all that this one has left behind.
    after(() => dropJobsSince(start))
    after(endApps)
    after(removeTemporaryFolders)
    after(() => void processorSecondsOf.set(file, processorSeconds() - usedBefore))
  })
}
