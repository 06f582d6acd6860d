import { join } from 'node:path'
import { formatCount } from '../../diagnostics/diagnostic.ts'
import { configFileNames, configSchemaUrl } from '../../docs-config/config-files.ts'
import { addSettings, type SettingsToAdd } from '../../docs-config/edit-config.ts'
import { ConfigError } from '../../errors.ts'
import type { Conversion, LeftOut } from '../../openapi/rulesets/convert/conversion.ts'
import { convertOptic } from '../../openapi/rulesets/convert/convert-optic.ts'
import { convertRedocly } from '../../openapi/rulesets/convert/convert-redocly.ts'
import { renderRuleset } from '../../openapi/rulesets/convert/render-ruleset.ts'
import { isObject, type JsonObject } from '../../source/is-object.ts'
import { locatePointers, parseSource } from '../../source/parse-source.ts'
import { toLineStarts, toPosition } from '../../source/position.ts'
import { baseName, joinPath, parentPath, relativePath } from '../../source/relative-path.ts'
import { toSourceFile } from '../../source/source-file.ts'
import { findDocs } from '../../update/find-docs.ts'
import { statPath, type Workspace } from '../workspace.ts'
import type { PlannedFile } from './setup-plan.ts'
import { readText } from './setup-survey.ts'

/** The files that carry over the rules of another tool, and what they do not contain. */
export interface ImportPlan {
  readonly files: readonly PlannedFile[]
  /** Rules of the ruleset, and checks with a severity. */
  readonly carriedCount: number
  /** Each with its place: `redocly.yaml:12 path-segment-plural: …`. */
  readonly leftOut: readonly string[]
  /** What a person has to do, one sentence each. */
  readonly steps: readonly string[]
}

type Tool = 'redocly' | 'optic'

const rulesetNames = ['.spectral.yaml', '.spectral.yml', '.spectral.json', 'spectral.yaml', 'spectral.yml', 'spectral.json']

/** Problems that `redocly lint` does not report. */
const ignoreFileName = '.redocly.lint-ignore.yaml'

/**
 * Plans the import of a `redocly.yaml` or `optic.yml`.
 *
 * @param path relative to the boundary. @param root the folder that is set up.
 * @throws {ConfigError} if the file cannot be read, or is none of both.
 */
export async function planImport(path: string, root: string, workspace: Workspace): Promise<ImportPlan> {
  const { environment, toShown } = workspace
  const shown = toShown(path)
  const value = await readMapping(path, workspace)
  const tool = chooseTool(path, value)
  if (!tool) {
    throw new ConfigError(`cannot import ${shown}: it is no configuration of Redocly or Optic`, {
      hint: 'Name the `redocly.yaml` or `optic.yml`',
    })
  }
  const read = async (other: string): Promise<unknown> => {
    const text = await readText(other, environment.files)
    return text === undefined ? undefined : (await parseSource(toSourceFile(other, new TextEncoder().encode(text)))).value
  }
  const conversion = tool === 'redocly' ? await convertRedocly(value, path, read) : convertOptic(value, path)
  const folder = parentPath(path)
  const ignoreFile = joinPath(folder, ignoreFileName)
  const hasIgnoreFile = tool === 'redocly' && (await readText(ignoreFile, environment.files)) !== undefined
  const baseline = '`openapi-pages check . --baseline openapi-baseline.json --write-baseline`'
  const leftOut = await describeLeftOut(
    [
      ...conversion.leftOut,
      ...(hasIgnoreFile
        ? [{ what: 'its problems', reason: `accept them in a baseline: ${baseline}`, file: ignoreFile, pointer: '' }]
        : []),
    ],
    workspace,
  )
  const config = await planSettings(folder, root, conversion, workspace)
  const ruleset = await planRuleset(folder, tool, path, leftOut, conversion, workspace)
  const checkCount = conversion.settings.severities.size + (conversion.settings.failOn ? 1 : 0)
  return {
    files: [...ruleset.files, ...config.files],
    carriedCount: conversion.rules.length + conversion.rulesets.length + checkCount,
    leftOut: leftOut.map(({ file, line, text }) => `${toShown(file)}:${line} ${text}`),
    steps: [...ruleset.steps, ...config.steps],
  }
}

async function readMapping(path: string, { environment, toShown }: Workspace): Promise<JsonObject> {
  const refuse = (reason: string, hint?: string) =>
    new ConfigError(`cannot import ${toShown(path)}: ${reason}`, hint === undefined ? {} : { hint })
  const result = await environment.files.read(path)
  if (result.kind !== 'file') throw refuse(result.kind === 'missing' ? 'no such file' : 'it cannot be read')
  const source = toSourceFile(path, result.bytes)
  if (source.text.trim() === '') throw refuse('it is empty')
  const { value, faults } = await parseSource(source)
  const [fault] = faults
  if (fault) {
    const { line, column } = toPosition(toLineStarts(source.text), fault.offsets.start)
    throw refuse(`line ${line}, column ${column}: ${fault.message.replaceAll('`', '')}`, fault.hint)
  }
  if (!isObject(value)) throw refuse('it is not a mapping')
  return value
}

function chooseTool(path: string, value: JsonObject): Tool | undefined {
  const name = baseName(path)
  if (/redocly/i.test(name)) return 'redocly'
  if (/optic/i.test(name)) return 'optic'
  if (['ruleset', 'capture'].some((key) => Object.hasOwn(value, key))) return 'optic'
  return ['rules', 'apis', 'lint', 'extends'].some((key) => Object.hasOwn(value, key)) ? 'redocly' : undefined
}

interface DescribedPart {
  /** Relative to the boundary. */
  readonly file: string
  readonly line: number
  readonly text: string
}

/** In the order of their lines. */
async function describeLeftOut(leftOut: readonly LeftOut[], { environment }: Workspace): Promise<readonly DescribedPart[]> {
  const described: DescribedPart[] = []
  for (const file of new Set(leftOut.map((entry) => entry.file))) {
    const entries = leftOut.filter((entry) => entry.file === file)
    const source = toSourceFile(file, new TextEncoder().encode((await readText(file, environment.files)) ?? ''))
    const places = await locatePointers(
      source,
      entries.map(({ pointer }) => pointer),
    )
    const starts = toLineStarts(source.text)
    for (const { what, reason, pointer } of entries) {
      const place = places.get(pointer)
      const line = place ? toPosition(starts, (place.key ?? place.value).start).line : 1
      described.push({ file, line, text: `${what}: ${reason}` })
    }
  }
  return described.toSorted((a, b) => a.line - b.line)
}

async function planRuleset(
  folder: string,
  tool: Tool,
  path: string,
  leftOut: readonly DescribedPart[],
  conversion: Conversion,
  { boundary, toShown }: Workspace,
): Promise<Pick<ImportPlan, 'files' | 'steps'>> {
  const existing = rulesetNames.find((name) => statPath(join(boundary, folder, name)))
  const name = existing === undefined ? '.spectral.yaml' : `${tool}.spectral.yaml`
  const target = joinPath(folder, name)
  const content = renderRuleset(conversion, [
    `The rules of ${baseName(path)}, converted by \`openapi-pages init --from ${baseName(path)}\`.`,
    ...(leftOut.length === 0
      ? []
      : ['', 'Not carried over:', ...leftOut.map(({ file, line, text }) => `- ${relativePath(folder, file)}:${line} ${text}`)]),
    '',
  ])
  if (content === undefined) return { files: [], steps: [] }
  if (existing === undefined) {
    const count = conversion.rules.length
    const why = count > 0 ? `has ${formatCount(count, 'rule')} of ${baseName(path)}` : `names the rules of ${baseName(path)}`
    return { files: [{ path: target, content, why }], steps: [] }
  }
  if (statPath(join(boundary, target))) {
    throw new ConfigError(`cannot write ${toShown(target)}: it exists already`, {
      hint: `Rename or delete it, and run the command again`,
    })
  }
  const step = `To apply the rules, add ./${name} to \`extends\` of ${toShown(joinPath(folder, existing))}`
  return {
    files: [{ path: target, content, why: `has the rules of ${baseName(path)}, because there is a ${existing}` }],
    steps: [step],
  }
}

async function planSettings(
  folder: string,
  root: string,
  { settings }: Conversion,
  { boundary, environment, toShown }: Workspace,
): Promise<Pick<ImportPlan, 'files' | 'steps'>> {
  const { severities, ignored, failOn } = settings
  if (severities.size === 0 && ignored.length === 0 && failOn === undefined) return { files: [], steps: [] }
  const { docsDirectories } = await findDocs(root, environment)
  const [docsDirectory, ...others] = docsDirectories
  const target = docsDirectory !== undefined && others.length === 0 ? docsDirectory : folder
  const added: SettingsToAdd = {
    rules: Object.fromEntries(severities),
    ignore: ignored.map(({ code, path }) => ({ code, path: relativePath(target, joinPath(folder, path)) })),
    ...(failOn === undefined ? {} : { changes: { failOn } }),
  }
  const existing = configFileNames.find((name) => statPath(join(boundary, target, name)))
  const path = joinPath(target, existing ?? configFileNames[0])
  const before = existing === undefined ? undefined : await readText(path, environment.files)
  const start = `# yaml-language-server: $schema=${configSchemaUrl}\n# All settings: https://github.com/openapi-pages/openapi-pages/blob/main/docs/configuration.md\n\n`
  const content = existing?.endsWith('.json') ? undefined : addSettings(before ?? start, added)
  if (content === undefined) {
    return { files: [], steps: [`Add these settings to ${toShown(path)}: ${JSON.stringify(added)}`] }
  }
  if (content === before) return { files: [], steps: [] }
  const parts = [
    severities.size > 0 ? `severities of ${formatCount(severities.size, 'check')}` : undefined,
    ignored.length > 0 ? formatCount(ignored.length, 'exception') : undefined,
    failOn === undefined ? undefined : 'fails on breaking changes',
  ].filter((part) => part !== undefined)
  return { files: [{ path, ...(before === undefined ? {} : { before }), content, why: parts.join(', ') }], steps: [] }
}
