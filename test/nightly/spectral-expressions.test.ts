import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { installPackages } from '../../scripts/package-cache.ts'
import { parsePath } from '../../src/rules/path/parse-path.ts'
import { listMatches } from '../rules/path/select.ts'
import { fc, seed } from '../support/properties.ts'

// Generated JSONPath expressions select what the library of Spectral selects. `test/fixtures/rules/spectral-paths.json` has some of them for every run.

const { document } = JSON.parse(readFileSync('test/fixtures/rules/spectral-paths.json', 'utf8')) as { document: object }

/** The library of Spectral 6.16. Its types are not installed. */
interface Library {
  readonly default: new (
    expressions: readonly string[],
    options: object,
  ) => {
    query(document: object, onMatch: Readonly<Record<string, (match: { readonly path: readonly unknown[] }) => void>>): void
  }
}

function loadLibrary(): (expression: string) => string[] {
  const load = createRequire(join(installPackages('nimma', { nimma: '0.2.3' }), 'package.json'))
  const { default: Nimma }: Library = load('nimma/legacy')
  const { jsonPathPlus }: { readonly jsonPathPlus: unknown } = load('nimma/legacy/fallbacks')
  return (text) => {
    const paths = new Set<string>()
    const library = new Nimma([text], { fallback: jsonPathPlus, unsafe: false, output: 'auto', customShorthands: {} })
    library.query(document, { [text]: ({ path }) => paths.add(path.join('/')) })
    return [...paths].sort()
  }
}

const name = fc.constantFrom(
  'paths',
  'get',
  'post',
  'parameters',
  'responses',
  'schema',
  'properties',
  'tags',
  'name',
  'type',
  'components',
  '200',
)
const value = fc.constantFrom("'string'", "'query'", "'name'", '1', 'null', 'true')
const own = name.map((field) => (/^\d/.test(field) ? `@['${field}']` : `@.${field}`))
const term = fc.oneof(
  own,
  fc.tuple(own, fc.constantFrom('==', '===', '!=', '!=='), value).map((parts) => parts.join(' ')),
  fc
    .tuple(fc.constantFrom('@property', '@parentProperty'), fc.constantFrom('==', '===', '!=='), name)
    .map(([key, operator, field]) => `${key} ${operator} '${field}'`),
  fc.constantFrom(
    '@property.match(/^[a-p]/)',
    "@property.startsWith('p')",
    '@.length > 1',
    '@.name && @.name.length < 5',
    "@.name.includes('i')",
    '@string()',
    '@object()',
    '@array()',
    '@',
  ),
)
const condition = fc.oneof(
  term,
  term.map((one) => `!(${one})`),
  fc.tuple(term, fc.constantFrom('&&', '||'), term).map((parts) => parts.join(' ')),
)
const step = fc.oneof(
  { weight: 6, arbitrary: name.map((field) => (/^\d/.test(field) ? `['${field}']` : `.${field}`)) },
  { weight: 3, arbitrary: name.map((field) => `..${field}`) },
  { weight: 5, arbitrary: fc.constantFrom('.*', '[*]', '..*', '..[*]') },
  {
    weight: 3,
    arbitrary: fc
      .uniqueArray(name, { minLength: 1, maxLength: 3 })
      .map((names) => `[${names.map((field) => `'${field}'`).join(',')}]`),
  },
  { weight: 2, arbitrary: fc.uniqueArray(name, { minLength: 2, maxLength: 3 }).map((names) => `[${names.join(',')}]`) },
  { weight: 2, arbitrary: fc.constantFrom('[0]', '[1]', '[0,1]', '[0:2]', '[1:]', '[:2]', '[0:4:2]') },
  { weight: 3, arbitrary: condition.map((one) => `[?(${one})]`) },
  { weight: 1, arbitrary: name.map((field) => `[[${field}]]`) },
)
/**
 * All begin with a name, and look at any depth once: behind a list, a filter or `*` at the root, and behind a second `..`, the library selects nothing or
 * other values.
 */
const expression = fc
  .tuple(
    name.filter((field) => /^[a-z]/.test(field)),
    fc.constantFrom('.', '..'),
    fc.array(step, { maxLength: 3 }),
    fc.constantFrom('', '', '', '^', '~', '^^', '^~'),
  )
  .map(([first, dots, steps, end]) => `$${dots}${first}${steps.join('')}${end}`)
  .filter((text) => !/(?:\.\.|\[\[).*(?:\.\.|\[\[)/.test(text))

test('expressions of the grammar of Spectral select what its library selects', () => {
  const select = loadLibrary()
  const selected = fc.sample(expression, { numRuns: 2_000, seed }).flatMap((text) => {
    const read = parsePath(text)
    try {
      const theirs = select(text)
      const ours =
        read.kind === 'failed'
          ? [`not read: ${read.reason}`]
          : [...new Set(listMatches(document, text).map(({ path }) => path.join('/')))].sort()
      return [{ text, ours, theirs }]
    } catch {
      // The library rejects it, or fails on a value.
      return []
    }
  })
  expect(selected.filter(({ theirs }) => theirs.length > 0).length).toBeGreaterThan(300)
  expect(selected.filter(({ ours, theirs }) => ours.join('\n') !== theirs.join('\n')).slice(0, 25)).toEqual([])
})
