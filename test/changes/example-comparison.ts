import type { Change, Comparison } from '../../src/changes/change.ts'

/** A change with what a test does not care about filled in. */
export function exampleChange(fields: Partial<Change> = {}): Change {
  const toPlace = (file: string, line: number) => ({
    file,
    pointer: '/paths/~1pets/get/parameters/0/schema/type',
    range: { start: { line, column: 26 }, end: { line, column: 32 } },
  })
  return {
    code: 'type-narrowed',
    level: 'breaking',
    method: 'get',
    path: '/pets',
    operations: [{ method: 'get', path: '/pets' }],
    subject: 'request',
    message: 'Type of query parameter `limit` changed from `string` to `integer`',
    hint: 'Accept the old type too',
    base: toPlace('old.yaml', 9),
    revision: toPlace('openapi.yaml', 19),
    fingerprint: '0123456789abcdef',
    ...fields,
  }
}

/** A breaking change that the team accepts. */
export function acceptedChange(fields: Partial<Change['accepted']> = {}): Change {
  return exampleChange({ accepted: { reason: 'No client sends it', author: 'Ada', isNew: false, ...fields } })
}

/** A comparison of `old.yaml` with `openapi.yaml`. */
export function exampleComparison(changes: readonly Change[]): Comparison {
  return { base: { document: 'old.yaml', version: '1.0.0' }, revision: { document: 'openapi.yaml', version: '2.0.0' }, changes }
}

/** Many changes of 100 operations: a quarter breaking, a quarter risky, the others compatible. Breaking changes come first. */
export function manyChanges(count: number): Comparison {
  const levels = ['breaking', 'risky', 'compatible', 'compatible'] as const
  const changes = levels.flatMap((level, part) =>
    Array.from({ length: count / 4 }, (_, index) => {
      const path = `/pets/${index % 100}`
      return exampleChange({ level, path, operations: [{ method: 'get', path }], fingerprint: `${part}-${index}` })
    }),
  )
  return exampleComparison(changes)
}

/** A comparison whose documents contain text that tries to be more than text. */
export function hostileComparison(text: string): Comparison {
  const operation = { method: 'get', path: `/${text}` }
  const place = { pointer: `/${text}`, range: { start: { line: 1, column: 1 }, end: { line: 1, column: 2 } } }
  const fields = {
    message: `Property \`${text}\` of ${text}`,
    hint: `Keep ${text}`,
    base: { file: `${text}.yaml`, ...place },
    revision: { file: `new ${text}.yaml`, ...place },
  }
  const changes = [
    exampleChange({ ...operation, ...fields, operations: [operation] }),
    exampleChange({ ...fields, level: 'risky', method: null, path: null, operations: [operation] }),
  ]
  return {
    base: { document: `${text}.yaml`, version: text },
    revision: { document: `${text}.yaml`, version: `${text}2` },
    changes,
  }
}
