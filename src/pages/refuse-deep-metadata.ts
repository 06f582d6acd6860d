import type { Finding } from '../diagnostic/diagnostic.ts'
import { isDeeperThan } from '../text/is-object.ts'
import type { PageSubject } from './types.ts'

/** Deepest nesting of `x-mint.metadata` that frontmatter is written from, itself included. */
const maxNesting = 100

/** The subject without metadata that is nested too deep to be written, which is then a finding. */
export function refuseDeepMetadata(subject: PageSubject, findings: Finding[]): PageSubject {
  const { mint, file, pointer } = subject
  if (!mint || !isDeeperThan(mint.metadata, maxNesting)) return subject
  findings.push({
    code: 'too-complex',
    message: `Unexpected \`metadata\` of more than ${maxNesting} levels`,
    file,
    pointer: `${pointer}/x-mint/metadata`,
    on: 'key',
    hint: 'the page is written without it',
    severity: 'warning',
  })
  return { ...subject, mint: { ...mint, metadata: undefined } }
}
