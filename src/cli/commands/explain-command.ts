import { ConfigError } from '../../text/errors.ts'
import { didYouMean, suggest } from '../../text/suggest.ts'
import type { DefineCommand } from '../command-options.ts'
import { type ExplainedCode, listExplainedCodes } from '../explained-codes.ts'

/** The options, help and action of `explain`. */
export const defineExplainCommand: DefineCommand = (command, context, end) => {
  command
    .description('Explains a code of a diagnostic or of an API change. Without a code, lists all codes.')
    .option('--list', 'list all codes (default without a code)', false)
    .option('--json', 'print JSON', false)
    .helpOption('-h, --help', 'print help')
    .allowExcessArguments(false)
    .addHelpText(
      'after',
      `
Examples:
  openapi-pages explain security-scheme
  openapi-pages explain --json`,
    )
    .action((code: string | undefined, { list, json }: { readonly list: boolean; readonly json: boolean }) => {
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
      end(0)
    })
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
