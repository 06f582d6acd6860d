import { readFileSync } from 'node:fs'

/** An example in `docs/diagnostics.md`. */
export interface DocumentedDiagnostic {
  readonly code: string
  /** What the example is a part of, which decides the test that checks it. */
  readonly kind:
    | 'document'
    | 'page'
    | 'text'
    | 'config'
    | 'overlay'
    | 'update'
    | 'site'
    | 'external'
    | 'files'
    | 'ignore'
    | 'exception'
  readonly verdict: 'wrong' | 'right'
  /** A whole file. */
  readonly isRaw: boolean
  readonly language: string
  readonly text: string
}

/** `docs/diagnostics.md` by its headings of the second level. */
export const sections = readFileSync(new URL('../../docs/diagnostics.md', import.meta.url), 'utf8')
  .split(/^## /m)
  .slice(1)
  .map((section) => ({ heading: section.slice(0, section.indexOf('\n')), body: section }))

const examples = sections.flatMap(({ heading, body }) =>
  Array.from(body.matchAll(/^```(\w+) (?:(\w+)-)?(wrong|right)( raw)?\n(.*?)^```$/gms), (match) => {
    const [, language = '', kind = 'document', verdict, raw, text = ''] = match
    return { code: heading, kind, verdict, isRaw: raw !== undefined, language, text } as DocumentedDiagnostic // A test lists the kinds.
  }),
)

/** The examples of some kinds. */
export function listExamples(...kinds: readonly DocumentedDiagnostic['kind'][]): readonly DocumentedDiagnostic[] {
  return examples.filter(({ kind }) => kinds.includes(kind))
}

/** All examples, also those of a kind that no test checks. */
export const allExamples = examples
