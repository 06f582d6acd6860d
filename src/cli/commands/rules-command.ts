import { type Diagnostic, formatCount, isDiagnosticCode } from '../../diagnostics/diagnostic.ts'
import { finishDiagnostics } from '../../diagnostics/finish-diagnostics.ts'
import { type Palette, toCheckJson } from '../../diagnostics/format-text.ts'
import {
  describeBriefly,
  findLines,
  formatActions,
  type ListedRule,
  listBuiltInRules,
  listRules,
  type RuleList,
  toWrittenActions,
} from '../../docs/rules/list-rules.ts'
import { ConfigError } from '../../text/errors.ts'
import { escapeLines, escapeText, toSafeJson } from '../../text/plain/escape-text.ts'
import { listChoices, listFirst } from '../../text/plain/lists.ts'
import { isUrl } from '../../text/plain/paths.ts'
import type { SourceFile } from '../../text/plain/source-file.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import type { CliContext, ExitCode } from '../base/cli-context.ts'
import { reportUnreadable, toExitCode } from '../base/command-errors.ts'
import {
  addCommonOptions,
  addRulesetOptions,
  type CommonOptions,
  type DefineCommand,
  type RulesetOptions,
} from '../base/command-options.ts'
import { chooseBoundary, openWorkspace, type Workspace } from '../open/workspace.ts'
import { choosePalette, createProgress, printDiagnostics } from '../print/terminal.ts'

/** A location in a ruleset. */
type Place = ListedRule['rule']['place']

const formats = ['text', 'json'] as const

/** What `rules` can do. */
export const ruleActions = ['list', 'explain'] as const

interface RulesCommandOptions extends Omit<CommonOptions, 'format'>, RulesetOptions {
  readonly format: (typeof formats)[number]
}

/** The options of `rules`. */
export const defineRulesCommand: DefineCommand = (command) => {
  addRulesetOptions(command)
  addCommonOptions(command, formats)
  return async (
    action: string,
    subject: string | undefined,
    document: string | undefined,
    ...more: [RulesCommandOptions, CliContext]
  ) => {
    if (document !== undefined && action !== 'explain') command.error('', { code: 'commander.excessArguments' })
    return await runRulesCommand(action, subject, document, ...more)
  }
}

async function runRulesCommand(
  action: string,
  subject: string | undefined,
  document: string | undefined,
  options: RulesCommandOptions,
  context: CliContext,
): Promise<ExitCode> {
  switch (action) {
    case 'list':
      return await runList(subject ?? '.', options, context)
    case 'explain': {
      if (subject === undefined)
        throw new ConfigError('missing name of a rule', { hint: 'List the rules with `openapi-pages rules`' })
      return await runExplain(subject, document ?? '.', options, context)
    }
    default: {
      const hint = /[./\\]/.test(action)
        ? `To list the rules that apply to it: \`openapi-pages rules list ${action}\``
        : (didYouMean(suggest(action, ruleActions)) ?? `To explain a rule: \`openapi-pages rules explain ${action}\``)
      throw new ConfigError(`unknown action ${action}, expected ${listChoices(ruleActions)}`, { hint })
    }
  }
}

/** The rules for a document or folder, and where they are shown from. */
interface OpenedRules extends RuleList {
  readonly workspace: Workspace
}

async function openRules(argument: string, options: RulesCommandOptions, context: CliContext): Promise<OpenedRules> {
  const progress = createProgress(context.stderr, true)
  const workspace = openWorkspace(chooseBoundary(argument, options, context), options, context, progress)
  return { workspace, ...(await listRules(workspace.toInside(argument), workspace.access, workspace.terms.rulesets)) }
}

async function runList(argument: string, options: RulesCommandOptions, context: CliContext): Promise<ExitCode> {
  const { stdout, stderr } = context
  const opened = await openRules(argument, options, context)
  const { rules, rulesets, version, workspace } = opened
  const reported = await finish(opened)
  const shown = await showRules(rules, opened)
  if (options.format === 'json') {
    const names = rulesets.map((name) => showFile(name, workspace))
    const list = { version: 1, document: argument, rulesets: names, rules: shown.map((rule) => toRuleJson(rule, workspace)) }
    stdout.write(`${toSafeJson({ ...list, diagnostics: toCheckJson(reported.diagnostics).diagnostics })}\n`)
    return toExitCode(reported.diagnostics)
  }
  const others = reportUnreadable(reported.diagnostics, stderr)
  await printDiagnostics(stdout, { diagnostics: others, sources: reported.sources }, options, context)
  if (others.length < reported.diagnostics.length || reported.diagnostics.some(({ code }) => code === 'unsupported-version'))
    return toExitCode(reported.diagnostics)
  if (rulesets.length === 0) {
    const what =
      isUrl(argument) || version !== undefined ? argument : argument === '.' ? 'this directory' : `the directory ${argument}`
    stdout.write(
      `No ruleset for ${escapeText(what)}\n  Create \`.spectral.yaml\` with \`extends: spectral:oas\`, or name a ruleset with --ruleset\n`,
    )
  } else {
    const palette = choosePalette(stdout, context, options.color)
    if (!options.quiet) {
      const target =
        version === undefined
          ? `documents in ${argument === '.' ? 'this directory' : argument}`
          : `${argument} (OpenAPI ${version})`
      const from = listFirst(rulesets, 5, (name) => showFile(name, workspace))
      stdout.write(`Rules for ${escapeText(target)}, from ${escapeText(from)}\n\n`)
    }
    stdout.write(shown.length === 0 ? '' : formatRuleTable(shown, palette))
    if (!options.quiet) stdout.write(`${shown.length === 0 ? '' : '\n'}${countRules(rules)}\n`)
  }
  return toExitCode(reported.diagnostics)
}

async function runExplain(name: string, argument: string, options: RulesCommandOptions, context: CliContext): Promise<ExitCode> {
  const opened = await openRules(argument, options, context)
  const { rules, rulesets, workspace } = opened
  const applied = rules.find(({ rule }) => rule.name === name)
  const builtIn = applied ? [] : await listBuiltInRules()
  const found = applied ?? builtIn.find(({ rule }) => rule.name === name)
  if (!found) {
    const reported = await finish(opened)
    const problem = reported.diagnostics.find(({ severity }) => severity === 'error')
    const near = didYouMean(
      suggest(
        name,
        [...rules, ...builtIn].map(({ rule }) => rule.name),
      ),
    )
    const hint = isDiagnosticCode(name)
      ? `It is a code of openapi-pages: \`openapi-pages explain ${name}\``
      : (near ?? (problem ? `${problem.file}: ${problem.message}` : 'List the rules with `openapi-pages rules`'))
    const from = rulesets.length === 0 ? 'there is no ruleset' : 'no rule of this name applies'
    throw new ConfigError(`unknown rule ${name}: ${from}`, { hint })
  }
  const [shown] = await showRules([found], opened)
  if (!shown) return 2
  const palette = choosePalette(context.stdout, context, options.color)
  if (options.format === 'json') {
    const rule = { ...toRuleJson(shown, workspace), applies: applied !== undefined }
    context.stdout.write(`${toSafeJson({ version: 1, rule })}\n`)
  } else context.stdout.write(formatRule(shown, await formatActions(shown.rule), palette))
  if (!applied && options.format === 'text')
    context.stdout.write('\nThe rule does not apply here. Add it to `rules` of a ruleset that extends `spectral:oas`\n')
  return 0
}

/** Completes problems, with shown file names. */
async function finish({
  findings,
  sources,
  workspace,
}: OpenedRules): Promise<{ readonly diagnostics: readonly Diagnostic[]; readonly sources: ReadonlyMap<string, SourceFile> }> {
  const sourceOf = (file: string) => sources.get(file)
  return await workspace.show(await finishDiagnostics(findings, sourceOf), sourceOf)
}

async function showRules(rules: readonly ListedRule[], { sources, workspace }: OpenedRules): Promise<readonly ShownRule[]> {
  const lineOf = await findLines(
    rules.map(({ rule }) => rule.place),
    sources,
  )
  return rules.map((listed) => {
    const { place } = listed.rule
    return { ...listed, line: lineOf(place), origin: showPlace(place, workspace, lineOf) }
  })
}

/** A rule in the stable JSON shape. Fields are only ever added. */
function toRuleJson({ rule, severity, releases, line }: ShownRule, workspace: Workspace) {
  return {
    name: rule.name,
    severity,
    description: rule.description,
    documentationUrl: rule.documentationUrl,
    file: showFile(rule.place.file, workspace),
    line,
    openapi: releases,
    given: rule.given,
    requires: toWrittenActions(rule),
  }
}

function showFile(file: string, workspace: Workspace): string {
  return file.startsWith('spectral:') ? file : workspace.toShown(file)
}

function showPlace(place: Place, workspace: Workspace, lineOf: (place: Place) => number | undefined): string {
  const line = lineOf(place)
  return `${showFile(place.file, workspace)}${line === undefined ? '' : `:${line}`}`
}

/** A rule with everything that is shown about it. */
interface ShownRule extends ListedRule {
  /** Such as `.spectral.yaml:4` or `spectral:oas`. */
  readonly origin: string
  readonly line: number | undefined
}

/** Formats one line for each rule. */
export function formatRuleTable(rules: readonly ShownRule[], palette: Palette): string {
  const nameWidth = Math.max(...rules.map(({ rule }) => rule.name.length))
  const originWidth = Math.min(40, Math.max(...rules.map(({ origin }) => origin.length)))
  const lines = rules.map((listed) => {
    const { rule, severity, origin } = listed
    const columns = [
      palette[severity](severity.padEnd(7)),
      escapeText(rule.name.padEnd(nameWidth)),
      palette.dim(escapeText(origin.padEnd(originWidth))),
      escapeText(describeBriefly(listed)),
    ]
    return `${columns.join('  ').trimEnd()}\n`
  })
  return lines.join('')
}

/** Formats "3 rules: 1 error, 2 warnings". */
export function countRules(rules: readonly ListedRule[]): string {
  const counts = (['error', 'warning', 'info'] as const).flatMap((severity) => {
    const count = rules.filter((each) => each.severity === severity).length
    return count === 0 ? [] : [severity === 'info' ? `${count} info` : formatCount(count, severity)]
  })
  return `${formatCount(rules.length, 'rule')}${counts.length === 0 ? '' : `: ${counts.join(', ')}`}`
}

/** Formats everything about a rule. */
export function formatRule(shown: ShownRule, actions: string, palette: Palette): string {
  const { rule, severity, origin, releases, sameAs } = shown
  const parts = [
    `${palette.strong(escapeText(rule.name))} (${palette[severity](severity)})\n`,
    ...(rule.description === undefined ? [] : [`${escapeLines(rule.description.trimEnd())}\n`]),
    [
      `From:           ${escapeText(origin)}\n`,
      `Applies to:     OpenAPI ${releases.join(', ')}\n`,
      ...(sameAs.length > 0 ? [`Same as:        ${sameAs.join(', ')} (\`openapi-pages explain CODE\`)\n`] : []),
      ...(rule.documentationUrl === undefined ? [] : [`Documentation:  ${escapeText(rule.documentationUrl)}\n`]),
    ].join(''),
    `Selects:\n\n${indent(rule.given.join('\n'))}\n`,
    `Requires:\n\n${indent(actions)}\n`,
  ]
  return parts.join('\n')
}

function indent(text: string): string {
  return escapeLines(text.trimEnd()).replace(/^(?=.)/gm, '  ')
}
