import { readFileSync } from 'node:fs'
import { lockFileName } from '../../src/docs/config/config-files.ts'
import { applyFileChanges } from '../../src/files/apply-file-changes.ts'
import { toOwnPath } from '../../src/files/boundary.ts'
import { FilesError } from '../../src/text/errors.ts'

// Applies the changes from stdin to the folder named on the command line, and prints the message of a failure.
const root = process.argv[2] ?? ''
const changes = JSON.parse(readFileSync(0, 'utf8'))
const signal = process.env['SIGNAL_IN_THE_MIDDLE']
// The last content is read when the other files are already staged.
if (signal) {
  const { content, ...last } = changes.pop()
  changes.push({
    ...last,
    get content() {
      process.kill(process.pid, signal)
      return content
    },
  })
}
try {
  await applyFileChanges(toOwnPath(root), changes, { lastName: lockFileName })
} catch (error) {
  if (!(error instanceof FilesError)) throw error
  console.log(error.message)
}
