import { type ChangeCode, changeCodes } from '../changes/change.ts'
import { readExample } from '../changes/change-examples.ts'
import { type DiagnosticCode, diagnosticCodes } from '../diagnostics/diagnostic.ts'
import { diagnosticHelp, renderMeaning, toText } from '../diagnostics/help-texts.ts'

/** A code of diagnostics or API changes. Plain data, printed as JSON: fields are only ever added. */
export interface ExplainedCode {
  readonly code: string
  readonly kind: 'diagnostic' | 'change'
  /** Of a diagnostic. */
  readonly severity?: string
  /** Of a change: in requests and in responses. */
  readonly level?: { readonly request: string; readonly response: string }
  readonly title: string
  /** Markdown. */
  readonly meaning: string
  /** Examples of a diagnostic. */
  readonly wrong: readonly string[]
  readonly right: readonly string[]
  /** Of a change: two versions in YAML between which it is the only one. */
  readonly example?: { readonly base: string; readonly revision: string }
}

/** Lists all codes with their explanations. */
export function listExplainedCodes(): readonly ExplainedCode[] {
  const diagnostics = (Object.keys(diagnosticCodes) as DiagnosticCode[]).map((code): ExplainedCode => {
    const { severity, title } = diagnosticCodes[code]
    const { examples } = diagnosticHelp[code]
    const list = (wanted: string) => examples.filter(({ verdict }) => verdict === wanted).map(toText)
    return { code, kind: 'diagnostic', severity, title, meaning: renderMeaning(code), wrong: list('wrong'), right: list('right') }
  })
  const changes = (Object.keys(changeCodes) as ChangeCode[]).map((code): ExplainedCode => {
    const { level, title, why, instead } = changeCodes[code]
    const levels = typeof level === 'string' ? { request: level, response: level } : level
    const meaning = instead === undefined ? why : `${why}\n\n**Instead:** ${instead}.`
    const example = { base: readExample(code, '-'), revision: readExample(code, '+') }
    return { code, kind: 'change', level: levels, title, meaning, wrong: [], right: [], example }
  })
  return [...diagnostics, ...changes]
}
