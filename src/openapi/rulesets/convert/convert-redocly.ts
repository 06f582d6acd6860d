import { findBlockingCode, isAllowedSeverity } from '../../../diagnostics/blocking-codes.ts'
import { type DiagnosticCode, diagnosticCodes } from '../../../diagnostics/codes.ts'
import { isObject, type JsonObject, readOwn } from '../../../source/is-object.ts'
import { pointerChild } from '../../../source/json-pointer.ts'
import { isUrl, joinPath, parentPath } from '../../../source/relative-path.ts'
import { spectralOas } from '../spectral-oas.ts'
import type { Conversion, ConvertedRule, ConvertedSettings, LeftOut } from './conversion.ts'
import { convertAssertions } from './convert-assertions.ts'
import { type RedoclyRule, type RedoclySeverity, redoclyRules, renamedRules } from './redocly-rules.ts'
import { collectAliases } from './select-objects.ts'

/** A rule in a configuration, or in a preset that it extends. */
interface Setting {
  readonly severity: RedoclySeverity
  readonly options: JsonObject
  /** The name of the preset that it comes from. */
  readonly preset?: string
  readonly file: string
  readonly pointer: string
}

type Settings = ReadonlyMap<string, Setting>

/** A mapping with `extends` and `rules`. */
interface Part {
  readonly value: JsonObject
  readonly file: string
  readonly pointer: string
}

const presetNames = ['minimal', 'recommended', 'spec'] as const

/** Files that extend each other. */
const maxFiles = 20

/** Keys of the configuration that have another place here, with the place. Keys that concern only Redocly itself are not mentioned. */
const otherKeys: Readonly<Record<string, string>> = {
  plugins: 'the JavaScript of plugins is not run',
  decorators: 'change the document with an overlay instead',
  preprocessors: 'change the document with an overlay instead',
  resolve: 'headers for URLs have no equivalent',
  theme: '`docs.json` has the look of a site',
  openapi: '`docs.json` has the look of a site',
  'features.openapi': '`docs.json` has the look of a site',
  mockServer: 'there is no mock server',
  scorecard: 'use a ruleset for each level',
  scorecardClassic: 'use a ruleset for each level',
  assertions: 'write each of them as a configurable rule: `rule/NAME` with `subject` and `assertions`',
}

const ignoredKeys = ['extends', 'rules', 'apis', 'root', 'lint', 'styleguide', 'organization', 'region', 'telemetry', '$schema']

/**
 * Converts the rules of a `redocly.yaml`. Never executes anything.
 *
 * Source: Redocly CLI, "Redocly configuration file" (docs/configuration/index.md), and its behavior in version 2.
 *
 * @param read returns the value of another file, or `undefined` if it cannot be read.
 */
export async function convertRedocly(
  value: JsonObject,
  file: string,
  read: (path: string) => Promise<unknown>,
): Promise<Conversion> {
  const leftOut = collectLeftOut()
  const parts = listParts({ value, file, pointer: '' })
  const settings = new Map<string, Setting>()
  for (const part of parts) await addSettings(settings, part, { read, leftOut, files: new Set([file]) })
  const aliases: Record<string, readonly string[]> = {}
  const top = convertRules(settings, leftOut)
  const severities = toSeverities(settings, leftOut)
  const overrides: { file: string; rules: readonly ConvertedRule[] }[] = []
  const ignored: { code: DiagnosticCode; path: string }[] = []
  const apis: JsonObject = isObject(value['apis']) ? value['apis'] : {}
  for (const [name, api] of Object.entries(apis)) {
    if (!isObject(api)) continue
    const pointer = pointerChild('/apis', name)
    const inside = listParts({ value: api, file, pointer })
    for (const part of inside) listOtherKeys(part, leftOut)
    if (!inside.some((part) => part.value['rules'] !== undefined || part.value['extends'] !== undefined)) continue
    const root = api['root']
    if (typeof root !== 'string' || isUrl(root) || /^(?:\.\.\/|\/)/.test(root)) {
      leftOut.add({ what: `rules of ${name}`, reason: 'its `root` is no file in this directory', file, pointer })
      continue
    }
    const path = root.replace(/^\.\//, '')
    const own = new Map(settings)
    for (const part of inside) await addSettings(own, part, { read, leftOut, files: new Set([file]) })
    const rules = compareRules(top, convertRules(own, leftOut))
    if (rules.length > 0) overrides.push({ file: path, rules })
    const ownSeverities = toSeverities(own, leftOut)
    for (const code of new Set([...severities.keys(), ...ownSeverities.keys()])) {
      const byDefault = diagnosticCodes[code].severity
      const severity = ownSeverities.get(code) ?? byDefault
      if (severity === (severities.get(code) ?? byDefault)) continue
      if (severity === 'off') ignored.push({ code, path })
      else leftOut.add({ what: code, reason: 'a check has the same severity in all documents', file, pointer })
    }
  }
  for (const part of parts) listOtherKeys(part, leftOut)
  const written = [...top, ...overrides.flatMap(({ rules }) => rules)].flatMap((rule) => rule.written ?? [])
  collectAliases(
    written.flatMap(({ given }) => given),
    aliases,
  )
  const converted: ConvertedSettings = { severities, ignored }
  return { rulesets: [], aliases, rules: top.filter(isOn), overrides, settings: converted, leftOut: leftOut.list() }
}

interface LeftOutList {
  readonly add: (entry: LeftOut) => void
  readonly list: () => readonly LeftOut[]
}

/** Each reason once for each place: documents with their own rules repeat it. */
function collectLeftOut(): LeftOutList {
  const entries = new Map<string, LeftOut>()
  return {
    add: (entry) => entries.set([entry.file, entry.pointer, entry.reason].join('\n'), entry),
    list: () => [...entries.values()],
  }
}

/** Old configurations have their rules in `lint` or `styleguide`. */
function listParts(part: Part): readonly Part[] {
  const inside = ['styleguide', 'lint'].flatMap((key): Part[] => {
    const value = readOwn(part.value, key)
    return isObject(value) ? [{ value, file: part.file, pointer: pointerChild(part.pointer, key) }] : []
  })
  return [...inside, part]
}

interface Reading {
  readonly read: (path: string) => Promise<unknown>
  readonly leftOut: LeftOutList
  /** The files that extend this one, and this one. */
  readonly files: Set<string>
}

async function addSettings(settings: Map<string, Setting>, part: Part, reading: Reading): Promise<void> {
  const { value, file, pointer } = part
  const list = value['extends']
  const names = typeof list === 'string' ? [list] : Array.isArray(list) ? list : []
  for (const [index, name] of names.entries()) {
    const at = Array.isArray(list) ? `${pointer}/extends/${index}` : `${pointer}/extends`
    if (typeof name === 'string') await extend(settings, name, { file, pointer: at }, reading)
  }
  const rules = value['rules']
  for (const [writtenName, entry] of Object.entries(isObject(rules) ? rules : {})) {
    const renamed = Object.hasOwn(renamedRules, writtenName) ? renamedRules[writtenName] : undefined
    const name = renamed ?? writtenName.replace(/^assert\//, 'rule/')
    const at = pointerChild(`${pointer}/rules`, writtenName)
    const before = settings.get(name)
    const { severity = 'error', ...options } = isObject(entry) ? entry : { severity: entry, ...before?.options }
    if (severity === 'error' || severity === 'warn' || severity === 'off')
      settings.set(name, { severity, options, file, pointer: at })
    else reading.leftOut.add({ what: writtenName, reason: 'its severity is not error, warn or off', file, pointer: at })
  }
}

async function extend(
  settings: Map<string, Setting>,
  name: string,
  place: { readonly file: string; readonly pointer: string },
  { read, leftOut, files }: Reading,
): Promise<void> {
  const isStrict = name === 'recommended-strict'
  const preset = presetNames.indexOf(isStrict ? 'recommended' : (name as (typeof presetNames)[number]))
  if (preset !== -1 || name === 'all') {
    for (const [rule, { presets }] of Object.entries(redoclyRules)) {
      const severity = name === 'all' ? 'error' : (presets?.[preset] ?? 'off')
      settings.set(rule, { severity: isStrict && severity === 'warn' ? 'error' : severity, options: {}, preset: name, ...place })
    }
    return
  }
  const refuse = (reason: string) => leftOut.add({ what: name, reason, ...place })
  if (isUrl(name)) return refuse('URLs are not read. Save it as a file, and extend that')
  if (!/\.ya?ml$|\.json$/.test(name)) {
    return refuse(name.includes('/') ? 'configurations of plugins are not run' : 'this preset is unknown')
  }
  const path = joinPath(parentPath(place.file), name)
  if (files.has(path)) return refuse('it extends itself')
  if (files.size >= maxFiles) return refuse(`more than ${maxFiles} files extend each other`)
  const value = await read(path)
  if (!isObject(value)) return refuse('the file cannot be read')
  files.add(path)
  for (const part of listParts({ value, file: path, pointer: '' })) await addSettings(settings, part, { read, leftOut, files })
}

const isOn = ({ severity }: ConvertedRule) => severity !== 'off'

/** The rules of a ruleset that replace settings, also those that are off. */
function convertRules(settings: Settings, leftOut: LeftOutList): readonly ConvertedRule[] {
  return [...settings].flatMap(([name, setting]): readonly ConvertedRule[] => {
    const report = (reason: string, inside = '') => {
      if (setting.severity === 'off') return
      leftOut.add({ what: name, reason, file: setting.file, pointer: setting.pointer + inside })
    }
    if (name.startsWith('rule/')) return convertConfigurable(name, setting, settings, report)
    const row = Object.hasOwn(redoclyRules, name) ? redoclyRules[name] : undefined
    if (row) return convertBuiltIn(name, row, setting, report)
    report(
      name.includes('/')
        ? 'rules of plugins are not run. Write it as a rule of the ruleset'
        : 'this rule is unknown, or not for OpenAPI 3',
    )
    return []
  })
}

type Report = (reason: string, pointer?: string) => void

function convertConfigurable(name: string, setting: Setting, settings: Settings, report: Report): readonly ConvertedRule[] {
  const { severity, options } = setting
  const plain = name.slice('rule/'.length)
  const { written, leftOut } = convertAssertions(plain, options)
  for (const { pointer, reason } of leftOut) report(reason, pointer)
  // A built-in rule may have the same name.
  const isTaken = settings.has(plain) || [redoclyRules, spectralOas.rules].some((rules) => Object.hasOwn(rules, plain))
  const shown = isTaken ? `rule-${plain}` : plain
  const names = [shown, `${shown}-ref`]
  return written.map((rule, index) => ({ name: names[index] ?? shown, severity, written: rule }))
}

function convertBuiltIn(
  name: string,
  row: RedoclyRule,
  { severity, options, preset }: Setting,
  report: Report,
): readonly ConvertedRule[] {
  const { spectral, written, gap, none, options: own = [] } = row
  const { message } = options
  const known = written && typeof message === 'string' ? [...own, 'message'] : own
  if (none !== undefined) {
    report(none)
    return []
  }
  for (const option of Object.keys(options)) {
    if (!known.includes(option)) report(`the option ${option} has no equivalent`, pointerChild('', option))
  }
  if (gap && preset === undefined && (gap.unless === undefined || options[gap.unless] !== true)) report(gap.text)
  if (spectral !== undefined) return [{ name: spectral, severity, ...(spectral === name ? {} : { oldName: name }) }]
  const rule = written?.(options)
  if (written && !rule) report('its options have no equivalent')
  if (!rule) return []
  const text = typeof message === 'string' ? { message: message.replaceAll('{{message}}', '{{error}}') } : {}
  return [{ name, severity, written: { ...text, ...rule } }]
}

/** The rules that one document has differently. */
function compareRules(all: readonly ConvertedRule[], own: readonly ConvertedRule[]): readonly ConvertedRule[] {
  const known = new Map(all.map((rule) => [rule.name, rule]))
  return own.flatMap((rule) => {
    const before = known.get(rule.name)
    const isSame = JSON.stringify(before?.written) === JSON.stringify(rule.written)
    if (isSame && before?.severity === rule.severity) return []
    if (!before || !isOn(before)) return isOn(rule) ? [rule] : []
    const { written: _, ...change } = rule
    return [isSame || !isOn(rule) ? change : rule]
  })
}

/** The severities that settings give to checks of openapi-pages, without those that are the default. */
function toSeverities(settings: Settings, leftOut: LeftOutList): ConvertedSettings['severities'] {
  const wanted = new Map<DiagnosticCode, Setting[]>()
  for (const [name, setting] of settings) {
    const { codes = [] } = (Object.hasOwn(redoclyRules, name) ? redoclyRules[name] : undefined) ?? {}
    for (const code of codes) wanted.set(code, [...(wanted.get(code) ?? []), setting])
  }
  const severities = new Map<DiagnosticCode, 'error' | 'warning' | 'off'>()
  /** Checks that stay errors although a preset has warnings, by the place of its name. */
  const stricter = new Map<string, { readonly setting: Setting; readonly codes: DiagnosticCode[] }>()
  for (const [code, list] of wanted) {
    const chosen = chooseSetting(list)
    if (!chosen) continue
    const severity = chosen.severity === 'warn' ? 'warning' : chosen.severity
    if (isAllowedSeverity(code, severity)) {
      if (severity !== diagnosticCodes[code].severity) severities.set(code, severity)
      continue
    }
    if (severity === 'off' && isAllowedSeverity(code, 'warning')) severities.set(code, 'warning')
    const { file, pointer, preset } = chosen
    if (preset === undefined) {
      const stays = severity === 'off' && isAllowedSeverity(code, 'warning') ? 'a warning' : 'an error'
      leftOut.add({ what: code, reason: `stays ${stays}, because ${findBlockingCode(code)?.why}`, file, pointer })
    } else {
      const entry = stricter.get(pointer) ?? { setting: chosen, codes: [] }
      entry.codes.push(code)
      stricter.set(pointer, entry)
    }
  }
  for (const { setting, codes } of stricter.values()) {
    const { preset = '', file, pointer } = setting
    leftOut.add({ what: `warnings of ${preset}`, reason: `these stay errors: ${codes.join(', ')}`, file, pointer })
  }
  return severities
}

/** The setting with the highest severity. Presets turn off no check, because they cannot know it. */
function chooseSetting(list: readonly Setting[]): Setting | undefined {
  const find = (severity: RedoclySeverity) => list.find((setting) => setting.severity === severity)
  return find('error') ?? find('warn') ?? list.find(({ preset }) => preset === undefined)
}

function listOtherKeys({ value, file, pointer }: Part, leftOut: LeftOutList): void {
  for (const [key, entry] of Object.entries(value)) {
    if (ignoredKeys.includes(key)) continue
    const at = pointerChild(pointer, key)
    const version = /^(oas2|oas3_\d|async\d|arazzo\d(?:_\d)?|overlay\d|openrpc\d|graphql)(Rules|Decorators|Preprocessors)$/.exec(
      key,
    )
    if (version && !version[1]?.startsWith('oas3')) continue
    const rules = version?.[2] === 'Rules' ? 'write them as rules with `formats`' : undefined
    const isEmpty = isObject(entry) ? Object.keys(entry).length === 0 : Array.isArray(entry) && entry.length === 0
    if (isEmpty) continue
    const reason = rules ?? (Object.hasOwn(otherKeys, key) ? otherKeys[key] : undefined)
    // Settings of the documentation platform, of which there are many.
    if (reason !== undefined) leftOut.add({ what: key, reason, file, pointer: at })
  }
}
