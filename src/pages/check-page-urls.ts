import type { Finding } from '../diagnostic/diagnostic.ts'
import { groupBy } from '../text/group-by.ts'
import { toPathKey } from './page-path.ts'

/** Reports pages that have one address: they differ only in extension or case, and a host shows one of them. `pages` have their extension. */
export function checkPageUrls(pages: Iterable<string>, toFile: (path: string) => string): Finding[] {
  return [...groupBy(pages, toPathKey).values()].flatMap(([first = '', ...others]) =>
    others.map((path): Finding => {
      const message = `Unexpected page \`${path}\` at the address of \`${first}\``
      const related = [{ file: toFile(first), pointer: '', message: 'this page has the same address' }]
      return {
        code: 'page-url-conflict',
        message,
        file: toFile(path),
        pointer: '',
        related,
        hint: 'rename or remove one of the two',
      }
    }),
  )
}
