import type { ChangeThreshold } from '../../changes/change.ts'
import type { Finding } from '../../diagnostics/diagnostic.ts'
import { isObject, pointerChild, stringOf } from '../../text/json/json-values.ts'
import type { LimitValues } from '../../text/plain/limits.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'

/**
 * One key of the configuration file. The parser, the types, the JSON Schema for editors and the reference in
 * `docs/configuration.md` come from it.
 *
 * `Value` is what the program works with. It can differ from what is written: sizes become numbers, and paths become patterns.
 */
export interface Setting<Value> {
  /** What it decides, without the final full stop. For people who write the file. */
  readonly description: string
  /** What each value means. */
  readonly meanings?: Meanings
  /** Sentences that follow the meanings, without the final full stop. */
  readonly note?: string
  /** The section of `docs/configuration.md` that explains it. */
  readonly see?: string
  /** The default, in words or in YAML. */
  readonly shownDefault?: string
  /** The value in the reference, in YAML. Absent for a section, whose keys have their own. */
  readonly example?: string
  /** The JSON Schema of a written value, without description. For mappings with `keys`, only what differs. */
  readonly schema?: object
  /** The keys of a mapping. */
  readonly keys?: Settings
  /** Whether it can have a value per division. */
  readonly isPerDivision?: true
  readonly byDefault: Value
  /** Reads a written value. Reports an invalid one, and returns `undefined` for it. */
  readonly read: (written: unknown, place: Place) => Value | undefined
}

export type Settings = { readonly [key: string]: Setting<unknown> }

/** The values of several settings. */
export type Values<Table extends Settings> = {
  readonly [Key in keyof Table]: Table[Key] extends Setting<infer Value> ? Value : never
}

/** What each value of a setting means, by its text in YAML. */
type Meanings = { readonly [written: string]: string }

/** Where a value is written, and what reading it depends on. */
export interface Place {
  readonly key: string
  readonly pointer: string
  /** The configuration file. */
  readonly file: string
  /** The maximum values of limits. */
  readonly ceilings: LimitValues
  readonly report: (finding: Omit<Finding, 'file'>) => void
}

/** Values of one kind, such as `true` and `false`. */
export interface Kind<Value> {
  /** Describes the values in messages. */
  readonly expected: string
  readonly code: 'wrong-type' | 'wrong-value'
  readonly schema: object
  readonly meanings?: Meanings
  /** The hint for an invalid value. */
  readonly hint?: (written: unknown) => string | undefined
  /** Returns `undefined` for an invalid value. */
  readonly toValue: (written: unknown) => Value | undefined
}

export const flag: Kind<boolean> = {
  expected: '`true` or `false`',
  code: 'wrong-type',
  schema: { type: 'boolean' },
  toValue: (written) => (typeof written === 'boolean' ? written : undefined),
}

/** One of a list of words. */
export function oneOf<Word extends string>(words: readonly Word[]): Kind<Word> {
  return {
    expected: listChoices(words),
    code: 'wrong-value',
    schema: { enum: words },
    hint: (written) => didYouMean(suggest(stringOf(written) ?? '', words)),
    toValue: (written) => words.find((word) => word === written),
  }
}

/** Accepts `false` for `off`, because YAML 1.1 parsers read `off` as a boolean. */
export function orFalse<Word extends string>({ toValue, ...kind }: Kind<Word>, words: readonly Word[]): Kind<Word> {
  return {
    ...kind,
    schema: { enum: [...words, false] },
    toValue: (written) => toValue(written === false ? 'off' : written),
  }
}

/** One of the words that `meanings` explains. */
export function choice<Word extends string>(meanings: { readonly [word in Word]: string }): Kind<Word> {
  const words = Object.keys(meanings) as Word[] // The keys of a constant.
  const kind = oneOf(words)
  return { ...('off' in meanings ? orFalse(kind, words) : kind), meanings }
}

/** One value, or a list of them. */
function oneOrMore<Value>(kind: Kind<Value>): Kind<Value | readonly Value[]> {
  return {
    ...kind,
    expected: `${kind.expected}, or a list of them`,
    schema: { anyOf: [kind.schema, { type: 'array', items: kind.schema, minItems: 1 }] },
    toValue: (written) => {
      if (!Array.isArray(written)) return kind.toValue(written)
      const values = written.flatMap((one) => kind.toValue(one) ?? [])
      return values.length > 0 && values.length === written.length ? values : undefined
    },
  }
}

/** What a setting says about itself. */
type SettingDetails<Value> = Pick<Setting<Value>, 'description' | 'note' | 'see' | 'shownDefault' | 'example' | 'byDefault'>

/** A setting with one value. */
export function single<Value>(kind: Kind<Value>, details: SettingDetails<NoInfer<Value>>): Setting<Value> {
  return {
    shownDefault: String(details.byDefault),
    example: String(details.byDefault),
    ...details,
    ...(kind.meanings ? { meanings: kind.meanings } : {}),
    schema: kind.schema,
    read: (written, place) => {
      const value = kind.toValue(written)
      if (value === undefined) refuse(kind, `Unexpected value for \`${place.key}\`, expected ${kind.expected}`, written, place)
      return value
    },
  }
}

/** A value for all divisions, or one for each label. */
export interface ByLabel<Value> {
  /** For all other divisions. */
  readonly byDefault: Value
  /** `pointer` is the location of the label in the configuration file. */
  readonly byLabel: readonly { readonly label: string; readonly value: Value; readonly pointer: string }[]
}

/** A setting with one value for all divisions, or a mapping from division labels to values. */
export function perDivision<Value>(
  kind: Kind<Value>,
  { byDefault, ...details }: SettingDetails<NoInfer<Value>>,
): Setting<ByLabel<Value>> {
  return {
    shownDefault: String(byDefault),
    example: String(byDefault),
    ...details,
    ...(kind.meanings ? { meanings: kind.meanings } : {}),
    isPerDivision: true,
    schema: { anyOf: [kind.schema, { type: 'object', additionalProperties: kind.schema }], default: byDefault },
    byDefault: { byDefault, byLabel: [] },
    read: (written, place) => {
      const { key, pointer } = place
      const value = kind.toValue(written)
      if (value !== undefined) return { byDefault: value, byLabel: [] }
      if (!isObject(written)) {
        const expected = `${kind.expected}, or a mapping from division labels to these values`
        refuse(kind, `Unexpected value for \`${key}\`, expected ${expected}`, written, place)
        return undefined
      }
      const byLabel = Object.entries(written).flatMap(([label, given]) => {
        const at = { ...place, pointer: pointerChild(pointer, label) }
        const own = kind.toValue(given)
        if (own !== undefined) return [{ label, value: own, pointer: at.pointer }]
        refuse(kind, `Unexpected value for \`${label}\` in \`${key}\`, expected ${kind.expected}`, given, at)
        return []
      })
      return { byDefault, byLabel }
    },
  }
}

function refuse({ code, hint }: Kind<unknown>, message: string, written: unknown, { pointer, report }: Place): void {
  report({ code, message, pointer, hint: hint?.(written) })
}

/** A mapping of settings. Settings that are not written keep their defaults. */
export function section<Table extends Settings>(
  { description, see, example }: { readonly description: string; readonly see?: string; readonly example: string },
  keys: Table,
): Setting<Values<Table>> {
  const byDefault = defaultsOf(keys)
  return {
    description,
    ...(see === undefined ? {} : { see }),
    keys,
    byDefault,
    read: (written, place) => {
      const unknown = (key: string) => `setting \`${key}\` in \`${place.key}\`, expected ${listChoices(Object.keys(keys))}`
      const entries = readEntries(written, place, { keys, example, unknown })
      // The keys have been checked, and each value was read by the setting of its key.
      return entries && { ...byDefault, ...(Object.fromEntries(entries) as Partial<Values<Table>>) }
    },
  }
}

export function defaultsOf<Table extends Settings>(keys: Table): Values<Table> {
  const entries = Object.entries(keys).map(([key, { byDefault }]) => [key, byDefault])
  return Object.fromEntries(entries) as Values<Table> // One entry for each key.
}

/** Reads the known keys of a mapping, and reports the others. Returns `undefined` if the value is not a mapping. */
export function readEntries<Value>(
  written: unknown,
  place: Place,
  {
    keys,
    example,
    unknown,
    expected = 'a mapping',
  }: {
    readonly keys: { readonly [key: string]: Setting<Value> }
    /** One key with its value. */
    readonly example: string
    /** Completes `Unexpected …` for an unknown key. */
    readonly unknown: (key: string) => string
    readonly expected?: string
  },
): readonly (readonly [key: string, value: Value])[] | undefined {
  const { key: name, pointer, report } = place
  if (!isObject(written)) {
    const message = `Unexpected value for \`${name}\`, expected ${expected}`
    report({ code: 'wrong-type', message, pointer, hint: `Use a mapping, for example \`${name}: { ${example} }\`` })
    return undefined
  }
  return Object.entries(written).flatMap(([key, given]) => {
    const setting = Object.hasOwn(keys, key) ? keys[key] : undefined
    const at = { ...place, key, pointer: pointerChild(pointer, key) }
    if (!setting) {
      report(unknownKey(`Unexpected ${unknown(key)}`, key, at.pointer, Object.keys(keys)))
      return []
    }
    const value = setting.read(given, at)
    return value === undefined ? [] : [[key, value] as const]
  })
}

/** A list of mappings. */
export function listOfMappings<Value, Default extends readonly Value[] | undefined>(
  keys: Settings,
  options: SettingDetails<Default> & {
    /** The keys that each mapping has. */
    readonly required: readonly string[]
    /** One mapping, without its brackets. */
    readonly entry: string
    /** Describes the list in messages. */
    readonly expected: string
    readonly maxItems?: number
    /** More of the JSON Schema of a mapping. */
    readonly items?: object
    /** The value for something else than such a list. */
    readonly otherwise: readonly Value[] | undefined
    /** Reads the values of the keys. Returns `undefined` for a mapping that is refused, with a report or a faulty key. */
    readonly toValue: (values: ReadonlyMap<string, unknown>, place: MappingPlace, before: readonly Value[]) => Value | undefined
  },
): Setting<readonly Value[] | Default> {
  const { required, entry, expected, maxItems, items, otherwise, toValue, ...details } = options
  const properties = Object.entries(keys).map(([key, { description, schema }]) => [key, { description, ...schema }])
  const item = { type: 'object', required, additionalProperties: false, properties: Object.fromEntries(properties), ...items }
  return {
    ...details,
    schema: { type: 'array', ...(maxItems !== undefined && { maxItems }), items: item },
    read: (written, place) => {
      const { key, pointer, report } = place
      if (!Array.isArray(written) || written.length > (maxItems ?? Number.POSITIVE_INFINITY)) {
        const hint = `Use a list, for example \`- { ${entry} }\``
        report({ code: 'wrong-type', message: `Unexpected value for \`${key}\`, expected ${expected}`, pointer, hint })
        return otherwise
      }
      const read: Value[] = []
      for (const [index, one] of written.entries()) {
        const at = { ...place, pointer: pointerChild(pointer, index) }
        const unknown = (name: string) => `\`${name}\` in \`${key}\`, expected ${listChoices(Object.keys(keys))}`
        const wanted = `mappings with ${required.map((name) => `\`${name}\``).join(' and ')}`
        const entries = readEntries(one, at, { keys, example: entry, expected: wanted, unknown })
        if (!entries) continue
        for (const name of required.filter((wantedKey) => !Object.hasOwn(Object(one), wantedKey))) {
          const message = `Missing \`${name}\` in \`${key}\``
          report({ code: 'missing-field', message, pointer: at.pointer, hint: `Add \`${name}\`` })
        }
        const isFaulty = entries.length < Object.keys(Object(one)).length
        const value = toValue(new Map(entries), { ...at, isFaulty }, read)
        if (value !== undefined) read.push(value)
      }
      return read
    },
  }
}

export interface MappingPlace extends Place {
  /** Whether a key of the mapping is unknown or has an invalid value. */
  readonly isFaulty: boolean
}

/** Describes the problem of a key that does not exist. Suggests the nearest one. */
export function unknownKey(message: string, key: string, pointer: string, known: readonly string[]): Omit<Finding, 'file'> {
  const hint = didYouMean(suggest(key, known))
  return { code: 'unknown-field', message, pointer, on: 'key', hint }
}

/** The order of groups in a division and of pages in a group; see `orderGroups`. */
export const orders = choice({
  tags: 'groups in the order of `tags`, then by first use; pages in document order',
  'first-use': 'groups by first use; pages in document order',
  alphabetical: 'both by name',
})
export type OrderSetting = NonNullable<ReturnType<typeof orders.toValue>>

/** The order of the operations of one path. */
export const methodOrders = choice({ fixed: 'GET, PUT, POST, DELETE, then others', document: 'as in the document' })
export type MethodOrder = NonNullable<ReturnType<typeof methodOrders.toValue>>

/** All schemas, none, or those that match a name. `*` matches any characters. */
export type SchemaPages = boolean | readonly string[]

export const schemaPages: Kind<SchemaPages> = {
  expected: '`true`, `false` or a list of names',
  code: 'wrong-type',
  schema: { anyOf: [flag.schema, { type: 'array', items: { type: 'string' } }] },
  meanings: {
    true: 'one for each schema in `components`',
    '[Pet*, Order]': 'one for each schema with a matching name; `*` matches any characters',
  },
  toValue: (written) => {
    if (typeof written === 'boolean') return written
    return Array.isArray(written) && written.every((name) => typeof name === 'string') ? written : undefined
  },
}

export const overviewPages: Kind<boolean | 'site'> = {
  expected: '`site`, `true` or `false`',
  code: 'wrong-type',
  schema: { enum: ['site', true, false] },
  meanings: {
    site: 'in sites',
    true: 'also as a page file for each group',
    false: 'none',
  },
  toValue: (written) => (written === 'site' || typeof written === 'boolean' ? written : undefined),
}

export const changeThreshold = oneOrMore<ChangeThreshold>(
  choice({
    breaking: 'breaking changes',
    risky: 'breaking and risky changes',
    any: 'all changes',
    client: 'breaking and risky changes that break a recorded client',
    'client-unknown': 'those, and the ones that may break one or of which this is unknown',
    never: 'none',
  }),
)
