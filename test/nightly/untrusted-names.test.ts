import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findNamedMembers } from '../support/named-members.ts'
import { openProject } from '../support/typed-project.ts'

// `table[name]` finds `constructor` and `toString` in every object, and an assignment to `__proto__` replaces what the object inherits from.
// A name of a document is therefore looked up in a `Map` or with `readOwn`, and set with `setOwn`.

const root = join(import.meta.dirname, '../..')

/** Files that select members by text, with the reason why no document chooses it. */
const trusted: Readonly<Record<string, string>> = {
  'src/source/is-object.ts': 'the functions for all others',
  'src/store/sqlite/node-sqlite.ts': 'the columns of our own queries',
  'src/openapi/check-description.ts': 'the codes of our own checks',
  'src/app/setup/setup-page.tsx': 'the permissions of our own app',
  'src/site/content/evaluate/read-member.ts': 'compares names with the methods of JavaScript, and calls none',
  'src/site/client/diagrams/describe-diagram.ts': 'one of the names in a pattern',
  'src/site/render/api/schema-words.ts': 'one of the names in a pattern',
  'src/site/render/components/palette.ts': 'one of the names in a pattern',
}

test.each(['tsconfig.json', 'tsconfig.browser.json'])('no text of a document selects a member of an object: %s', (config) => {
  const found = findNamedMembers(openProject(root, config)).filter(({ file }) => !(file in trusted))
  expect(found.map(({ file, line, text }) => `${file}:${line}: ${text}`)).toEqual([])
})
