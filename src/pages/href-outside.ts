import type { Finding } from '../diagnostic/diagnostic.ts'
import type { PageSubject } from './types.ts'

/** The finding for an `x-mint.href` that would put a page where it may not be; the page is then put where it would be without. */
export function hrefOutside({ file, pointer }: PageSubject, href: string): Finding {
  return {
    code: 'page-href',
    message: `Unexpected \`href\` \`${href}\`, expected a path below the docs root`,
    file,
    pointer: `${pointer}/x-mint/href`,
    hint: 'the page stays at the path it would have without `href`',
  }
}
