import { diffArrays } from 'diff'
import { type ChangeCode, changeCodes } from '../src/changes/change.ts'
import { readExample } from '../src/cli/commands/explain-command.ts'
import { type DiagnosticCode, diagnosticCodes } from '../src/diagnostics/diagnostic.ts'
import { findBlockingCode, lowerableCodes } from '../src/diagnostics/finish-diagnostics.ts'
import { type DiagnosticExample, diagnosticHelp } from '../src/diagnostics/format-ci.ts'
import changeExamples from '../texts/change-examples.json' with { type: 'json' }

// Writes the pages about codes of diagnostics and of API changes from `texts`.

/** The entries of `docs/diagnostics.md`, with the headings of their chapters. */
export function renderDiagnosticCodes(): readonly string[] {
  return (Object.keys(diagnosticCodes) as DiagnosticCode[]).flatMap((code) => {
    const { chapter, what, fix, examples } = diagnosticHelp[code]
    const heading = chapter ? [`# ${chapter.title}`, '', ...(chapter.intro === undefined ? [] : [chapter.intro, ''])] : []
    return [
      ...heading,
      `## ${code}`,
      '',
      `**${diagnosticCodes[code].severity}:** ${what}`,
      '',
      `**Fix:** ${fix}`,
      '',
      ...renderExamples(examples),
    ]
  })
}

/** Each wrong example with the right one that follows it as a diff, and any other one alone. */
function renderExamples(examples: readonly DiagnosticExample[]): readonly string[] {
  return examples.flatMap((example, index) => {
    const { verdict, text, language } = example
    const next = examples[index + 1]
    if (verdict === 'wrong' && next?.verdict === 'right') return ['```diff', ...foldContext(diff(text, next.text)), '```', '']
    return verdict === 'wrong' ? [`\`\`\`${language}`, ...text, '```', ''] : []
  })
}

function diff(before: readonly string[], after: readonly string[]): readonly string[] {
  return diffArrays([...before], [...after]).flatMap(({ value, added, removed }) => {
    return value.map((line) => `${added ? '+' : removed ? '-' : ' '}${line}`)
  })
}

/** The errors that a configuration can make warnings. */
export function renderLowerableCodes(): readonly string[] {
  const rows = lowerableCodes.map((code) => {
    return `| [\`${code}\`](#${code}) | ${findBlockingCode(code)?.why} |`
  })
  return ['', '| Code | What pages show |', '| --- | --- |', ...rows, '']
}

/** The entries of `docs/change-codes.md`. */
export function renderChangeCodes(): readonly string[] {
  return (Object.keys(changeCodes) as ChangeCode[]).flatMap((code) => {
    const { level, title, why, instead } = changeCodes[code]
    const levels = typeof level === 'string' ? level : `${level.request}/${level.response}`
    const hint = instead === undefined ? [] : [`**Instead:** ${instead.slice(0, 1).toLowerCase()}${instead.slice(1)}.`, '']
    return [
      `## ${code}`,
      '',
      `**${levels}:** ${saysCode(title, code) ? '' : `${title}. `}${why}`,
      '',
      ...hint,
      ...renderChangeExample(code),
      '',
    ]
  })
}

/** The example of a change; for the opposite of an earlier one, a link. */
function renderChangeExample(code: ChangeCode): readonly string[] {
  const codes = Object.keys(changeCodes) as ChangeCode[]
  const opposite = codes
    .slice(0, codes.indexOf(code))
    .find((other) => readExample(other, '-') === readExample(code, '+') && readExample(other, '+') === readExample(code, '-'))
  if (opposite) return [`**Example:** the opposite of [\`${opposite}\`](#${opposite}).`]
  return ['```diff', ...foldContext(dropTrailing(changeExamples[code])), '```']
}

/** Whether a title has no word that the code does not have. */
function saysCode(title: string, code: ChangeCode): boolean {
  const words = code.split('-')
  return title
    .toLowerCase()
    .split(/[^a-z]+/)
    .every((word) => ['', 'a', 'an', 'of', 'the', 'is'].includes(word) || words.includes(word))
}

/** Leaves out the context after the last change, except what is inside the changed object. */
function dropTrailing(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => !line.startsWith(' '))
  const depth = (line = '') => line.slice(1).search(/\S/)
  const end = lines.findIndex((line, index) => index > last && depth(line) <= depth(lines[last]))
  return end === -1 ? lines : lines.slice(0, end)
}

/** The keys above a change as the header of a hunk, without required fields that do not matter. */
function foldContext(all: readonly string[]): readonly string[] {
  const lines = all.filter((line) => !/^ (?:openapi: 3\.1\.\d|info: \{.*\}|paths: \{\}|overlay: \S+)$/.test(line))
  const keys: string[] = []
  let count = 0
  for (const line of lines) {
    const key = /^ ( *)([^\s:]+):$/.exec(line)
    if (key?.[1]?.length === keys.length * 2 && key[2] !== undefined) keys.push(key[2])
    else if (!/^ +(?:description: OK|type: oauth2)$/.test(line)) break
    count++
  }
  const rest = lines.slice(count)
  const indent = keys.length * 2
  const isInside = rest.every((line) => line.slice(1, 1 + indent).trim() === '')
  if (!isInside || keys.length < 2) return lines
  return [`@@${keys.join('.').replaceAll('"', '')}@@`, ...rest.map((line) => `${line.slice(0, 1)}${line.slice(1 + indent)}`)]
}
