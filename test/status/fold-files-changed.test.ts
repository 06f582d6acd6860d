import { expect, test } from 'vitest'
import { foldFilesChanged } from '../../src/status/fold-files-changed.ts'
import type { FilesChanged } from '../../src/status/types.ts'

/** `+a ~b -c` is one commit. */
function commit(text: string): FilesChanged {
  const pick = (sign: string) =>
    text
      .split(' ')
      .filter((word) => word.startsWith(sign))
      .map((word) => word.slice(1))
  return { added: pick('+'), modified: pick('~'), removed: pick('-') }
}

test.each([
  ['nothing at all', [], ''],
  ['one commit', ['+b +a ~c -d'], '+a +b ~c -d'],
  ['add then remove is nothing', ['+a', '-a'], ''],
  ['remove then add is modified', ['-a', '+a'], '~a'],
  ['add then modify is added', ['+a', '~a', '~a'], '+a'],
  ['modify then remove is removed', ['~a', '-a'], '-a'],
  ['modify twice is modified once', ['~a', '~a'], '~a'],
  ['add, remove, add is added', ['+a', '-a', '+a'], '+a'],
  ['remove, add, remove is removed', ['-a', '+a', '-a'], '-a'],
  ['remove and add in one commit is modified', ['+a -a'], '~a'],
  ['the same path twice in one list', ['+a +a ~b ~b'], '+a ~b'],
  ['a rename there and back', ['-a +b', '-b +a'], '~a'],
  ['names that objects have', ['+__proto__ +constructor', '-constructor'], '+__proto__'],
  ['sorted by UTF-16 units', ['+b +B +a +é +z'], '+B +a +b +z +é'],
])('requirement 34: %s', (_title, commits, expected) => {
  expect(foldFilesChanged(commits.map(commit))).toEqual(commit(expected))
})
