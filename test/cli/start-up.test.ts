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

test('the check of a JSON document waits for no package and few modules of Node', () => {
  const outside = collectImports(join(import.meta.dirname, '../../src/cli/main.ts'), new Set(), new Set())
  expect([...outside].sort()).toEqual(['node:buffer', 'node:fs', 'node:path'])
})

test('`openapi-file` waits for no package either', () => {
  const outside = collectImports(
    join(import.meta.dirname, '../../src/cli/commands/openapi-file-command.ts'),
    new Set(),
    new Set(),
  )
  expect([...outside].sort()).toEqual(['node:buffer', 'node:fs', 'node:path'])
})
