import type { CheckLinks } from '../../../docs/check/survey-docs-directory.ts'
import type { LinkCheckOptions } from './scan-links.ts'

/** Creates the check of what a build checks in a docs directory. Loaded when it is needed: it is a third of the program. */
export function createLinkCheck(options: LinkCheckOptions = {}): CheckLinks {
  return async (...given) => {
    const { checkLinks } = await import('./scan-links.ts')
    return await checkLinks(...given, options)
  }
}
