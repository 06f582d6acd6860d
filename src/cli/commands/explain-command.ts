import changeExamples from '../../../texts/change-examples.json' with { type: 'json' }
import { type ChangeCode, changeCodes } from '../../changes/change.ts'
import { type DiagnosticCode, diagnosticCodes } from '../../diagnostics/diagnostic.ts'
import { diagnosticHelp, renderMeaning, toText } from '../../diagnostics/format-ci.ts'
import { ConfigError } from '../../text/errors.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { CliContext } from '../base/cli-context.ts'
import type { DefineCommand } from '../base/command-options.ts'

/** The options of `explain`. */
export const defineExplainCommand: DefineCommand = (command) => {
  command.option('--list', 'list all codes (default without a code)', false).option('--json', 'print JSON', false)
  return (code: string | undefined, { list, json }: { readonly list: boolean; readonly json: boolean }, context: CliContext) => {
    const codes = listExplainedCodes()
    const found = code === undefined || list ? codes : codes.filter((each) => each.code === code)
    if (found.length === 0) {
      const near = suggest(
        code ?? '',
        codes.map((each) => each.code),
      )
      throw new ConfigError(`unknown code ${code}`, {
        hint: `${didYouMean(near) ?? 'List all codes with `openapi-pages explain`.'} For a rule of your ruleset: \`openapi-pages rules explain ${code}\``,
      })
    }
    const [only, ...others] = found
    if (json) context.stdout.write(`${JSON.stringify({ version: 1, codes: found }, undefined, 2)}\n`)
    else if (only && others.length === 0) context.stdout.write(formatCode(only))
    else
      context.stdout.write(
        found.map((each) => `${each.code.padEnd(34)} ${formatLevel(each).padEnd(20)} ${each.title}\n`).join(''),
      )
    return 0
  }
}

function formatLevel({ severity, level }: ExplainedCode): string {
  if (!level) return severity ?? ''
  return level.request === level.response ? level.request : `${level.request}/${level.response}`
}

function formatCode(explained: ExplainedCode): string {
  const { code, title, meaning, wrong, right, example } = explained
  const examples = [
    ...wrong.map((text) => ['Wrong', text]),
    ...right.map((text) => ['Right', text]),
    ...(example ? [['Before', example.base] as const, ['After', example.revision] as const] : []),
  ]
  const shown = examples.map(([label, text = '']) => `\n${label}:\n\n${text.trimEnd().replace(/^(?=.)/gm, '  ')}\n`)
  return `${code} (${formatLevel(explained)}): ${title}\n\n${meaning}\n${shown.join('')}`
}

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

/** The base (`-`) or the revision (`+`) of the example of a code, as YAML. */
export function readExample(code: ChangeCode, side: '-' | '+'): string {
  const lines = changeExamples[code].filter((line) => line.startsWith(' ') || line.startsWith(side))
  return lines.map((line) => `${line.slice(1)}\n`).join('')
}
