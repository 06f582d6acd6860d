import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** What a file and all that it imports at once (not by `import()`, not types alone) take from outside of this package. */
function collectImports(path: string, seen: Set<string>, outside: Set<string>): Set<string> {
  if (seen.has(path)) return outside
  seen.add(path)
  const statements = readFileSync(path, 'utf8').matchAll(/^(?:import|export) (?!type )(?:[^'"`;]*? from )?'([^']+)'/gm)
  for (const [, target = ''] of statements) {
    if (target.startsWith('.')) collectImports(join(dirname(path), target), seen, outside)
    else outside.add(target)
  }
  return outside
}

// Hooks and editors run checks often: whatever is loaded before a check begins counts each time. `node:child_process`, for Git, takes no time.
const nodeModules = ['node:buffer', 'node:child_process', 'node:fs', 'node:path', 'node:util']
test.each([
  ['main.ts', ['commander', 'node:fs', 'node:path']],
  ['commands/check-command.ts', ['commander', ...nodeModules]],
  ['commands/openapi-file-command.ts', ['commander', ...nodeModules]],
])('%s loads only the option parser at startup', (entry, expected) => {
  const outside = collectImports(join(import.meta.dirname, '../../src/cli', entry), new Set(), new Set())
  expect([...outside].sort()).toEqual(expected)
})
