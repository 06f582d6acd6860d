import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles } from './replace-folder.ts'

// Fails if the committed bundle of the Action differs from a fresh build: what runs in a user's repository must have been reviewed.
const root = join(import.meta.dirname, '..')
const before = readTree(join(root, 'dist'))
execFileSync(process.execPath, [join(root, 'scripts/build.ts'), 'action'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
const after = readTree(join(root, 'dist'))
const names = [...new Set([...before.keys(), ...after.keys()])].sort()
const different = names.filter((name) => !(before.get(name) ?? Buffer.alloc(0)).equals(after.get(name) ?? Buffer.alloc(0)))
if (different.length > 0) {
  console.error(`dist/ differs from a fresh build. Run \`npm run build\` and commit: ${different.join(', ')}`)
  process.exitCode = 1
} else console.log(`dist/ matches a fresh build (${names.length} files)`)

function readTree(folder: string): Map<string, Buffer> {
  return new Map(listFiles(folder).map((name) => [name, readFileSync(join(folder, name))]))
}
