import { listOf, readWritten, unescapePointerSegment } from '../../text/json/json-values.ts'
import { getOrMake, groupBy } from '../../text/plain/lists.ts'
import { objectTables, releases } from '../tables/object-tables.ts'
import { isLink, isOperation, type Node } from './description-tree.ts'
import type { Marked } from './mark-removed.ts'

type Kind = 'property' | 'condition' | 'parameter' | 'other'

/** The names of removed parts. A name that a kept part declares too is public. */
export type RemovedNames = ReturnType<typeof collectNames>

/** Mappings whose keys declare nothing: status codes, media types, and names that stand elsewhere. */
const withoutNames = /^(?:responses|content|encoding|dependentSchemas|variables)$/

/** The names that parts declare, with the kinds of these parts. */
function listDeclared({ roots, explicit, enums }: Marked) {
  const removed = new Map<string, Set<Kind>>()
  const kept = new Map<string, Set<Kind>>()
  /** Those of parts that rules name. */
  const named = new Set<string>()
  /** Values that `x-mint-enum` restricts. */
  const values = new Set<unknown>()
  const declare = (kind: Kind, name: unknown, node: Node, isNamed: boolean) => {
    if (typeof name !== 'string') return
    const into = node.isRemoved ? removed : kept
    getOrMake(into, name, () => new Set<Kind>()).add(kind)
    if (isNamed && node.isRemoved) named.add(name)
  }
  const visit = (node: Node, isInSchema: boolean, isInVariant: boolean) => {
    const { parent, key, fields, role } = node
    const isNamed = explicit.has(node)
    const isProperty = parent?.role === 'names' && parent.key === 'properties'
    // A property that only refers to a restricted schema is restricted, too.
    const isLost = isProperty && node.isRemoved && !parent.isRemoved
    const startsSchema = (isNamed || isLost) && !isOperation(node) && typeof fields['in'] !== 'string'
    const isSchema = isInSchema || startsSchema
    const isVariant = isInVariant || (startsSchema && !isProperty)
    if (isProperty)
      declare(node.isConditional || parent.parent?.isConditional ? 'condition' : 'property', key, node, isSchema || isLost)
    else if (parent?.role === 'names' && !withoutNames.test(String(parent.key)))
      declare(parent.key === 'headers' ? 'parameter' : 'other', key, node, isNamed)
    else if (parent?.role === 'examples' || parent?.role === 'callback') declare('other', key, node, isNamed)
    if (role === 'object' || role === 'example') {
      const { in: location, name, operationId, tags, const: constant, enum: listed, $anchor: anchor } = fields
      if (typeof location === 'string') declare('parameter', name, node, isNamed)
      else if (parent?.key === 'tags' || parent?.key === 'info') declare('other', name, node, isNamed)
      if (!isLink(node)) declare('other', operationId, node, isNamed)
      declare('other', anchor, node, isNamed)
      if (isOperation(node)) for (const tag of listOf(tags)) declare('other', tag, node, false)
      for (const one of key === 'propertyNames' ? [] : [constant, ...listOf(listed)])
        if (!node.isRemoved || isVariant) declare('other', one, node, isVariant)
      if (key === 'scopes' && role === 'object')
        for (const scope of Object.keys(fields)) declare('other', scope, node, node.isRemoved && scope !== 'x-mint')
      if (key === 'info') declare('other', fields['title'], node, false)
    }
    for (const child of node.children.values()) visit(child, isSchema, isVariant)
  }
  for (const root of roots.values()) visit(root, false, false)
  for (const [{ fields }, hidden] of enums) {
    const listed = listOf(fields['enum'])
    for (const index of hidden) {
      const value = listed[index]
      values.add(value).add(String(readWritten(listed, index)))
      if (typeof value === 'string') kept.get(value)?.delete('other')
    }
  }
  return { removed, kept, named, values }
}

/** Collects the names that the removed and the kept parts declare. */
export function collectNames(marked: Marked) {
  const { removed, kept, named, values } = listDeclared(marked)
  const has = (map: typeof removed, name: string, ...kinds: readonly Kind[]) =>
    kinds.some((kind) => map.get(name)?.has(kind) === true)
  const isKept = (name: string) => {
    const kinds = kept.get(name)
    return kinds !== undefined && kinds.size > (kinds.has('condition') && named.has(name) ? 1 : 0)
  }
  /** Whether no kept schema has a property of this name, but a removed one has. */
  const isGoneProperty = (name: unknown) =>
    typeof name === 'string' &&
    has(removed, name, 'property', 'condition') &&
    !has(kept, name, 'property', ...(named.has(name) ? [] : (['condition'] as const)))
  const isGoneParameter = (name: string) => has(removed, name, 'parameter') && !has(kept, name, 'parameter')
  /** Whether a text is a name that no kept part has. */
  const isGone = (text: unknown) =>
    typeof text === 'string' && removed.has(text) && !isKept(text) && isTelling(text) && (named.has(text) || !isPlainWord(text))
  const gone = [...removed.keys()].filter(
    (name) => isTelling(name) && (isGoneProperty(name) || isGoneParameter(name) || isGone(name)),
  )
  for (const value of values) if (typeof value === 'string' && isTelling(value)) gone.push(value)
  const search = createSearch(gone)
  const texts = new Set([...values].filter((value) => typeof value === 'string' && isTelling(value)))
  const searchValues = createSearch([...texts].map(String).filter((value) => value.length > 3))
  const keptInAnyCase = new Set([...kept.keys()].filter(isKept).map((name) => name.toLowerCase()))
  const inAnyCase = new Set([...texts].map((text) => String(text).toLowerCase()).filter((text) => !keptInAnyCase.has(text)))
  // In another case, a value of letters alone is an ordinary word.
  const searchAnyCase = createSearch([...inAnyCase].filter((text) => text.length > 3 && /\P{L}/u.test(text)))
  const newer = new Set(marked.hiddenValues.filter(isTelling))
  const words = new Set(gone.filter((name) => named.has(name) || isGoneProperty(name) || isGoneParameter(name)).map(toLastWord))
  return {
    /** Restricted values, and names of restricted parts that can be searched for anywhere. */
    secrets: [...new Set([...values].map(String)), ...gone.filter((name) => named.has(name) || name.startsWith('/'))],
    isGoneProperty,
    isGoneParameter,
    isGone,
    /** Names of properties and parameters that rules remove, and that kept schemas and operations have too. */
    shared: new Set(
      [...named].filter((name) => has(removed, name, 'property', 'parameter') && has(kept, name, 'property', 'parameter')),
    ),
    /** A runtime expression such as `$request.body#/secret` with such a name. */
    isGoneExpression(text: string) {
      return Array.from(
        text.matchAll(/\$(?:request|response)\.(?:body#((?:\/[^\s"'{}/]*)+)|(?:query|path|header)\.([^\s"'{}&]+))/g),
      ).some(
        ([, pointer, name]) =>
          (pointer?.split('/') ?? []).map(unescapePointerSegment).some((step) => isGoneProperty(step) || isGone(step)) ||
          (name !== undefined && (isGoneParameter(name) || isGone(name))),
      )
    },
    /** Whether a text, such as an example as XML, contains such a name. */
    isMentioned: (text: string) => hasSome(search(text, 'name')),
    /** Whether a regular expression for names contains such a name. */
    isInPattern: (pattern: string) =>
      hasSome(search(pattern, 'part')) || gone.some((name) => !isPlainWord(name) && pattern.includes(name)),
    /** Whether a code sample has such a name, or one of these. */
    isInSample(text: string, others: ReadonlySet<string>) {
      const otherWords = new Set(Array.from(others, toLastWord))
      const setsHidden = (word: string) => words.has(word) || otherWords.has(word)
      return (
        hasSome(search(text, 'name')) ||
        Array.from(text.matchAll(/(?<![\w$-])([\w$-]+)(?=["'`\]]|\s*[:=])/g), ([, word = '']) => word.toLowerCase()).some(
          setsHidden,
        )
      )
    },
    /** Whether a whole text is a restricted value, or was restricted in a newer version. */
    isValue: (text: string) => texts.has(text) || newer.has(text),
    /** The restricted value that a text for people has. Short ones can be part of anything. */
    findValue: (text: string) =>
      searchValues(text, 'word').next().value ?? searchAnyCase(text.toLowerCase(), 'word').next().value,
    /** Whether data is a restricted value. A text is one in any case, unless a kept part has it in another. */
    isValueOfData: (value: unknown) => values.has(value) || (typeof value === 'string' && inAnyCase.has(value.toLowerCase())),
  }
}

/** A name without letters, or of one character, says nothing. */
function isTelling(name: string): boolean {
  return name.length > 1 && /\p{L}/u.test(name)
}

/** Such a word can stand in any text. */
function isPlainWord(name: string): boolean {
  return /^\p{L}\p{Ll}*$/u.test(name)
}

/** `id` of `filter[id]`: the word that is written before the value. */
function toLastWord(name: string): string {
  return (/[\w$-]+(?=[^\w$-]*$)/.exec(name)?.[0] ?? name).toLowerCase()
}

function hasSome(found: Iterator<string>): boolean {
  return found.next().done !== true
}

/** Returns a function that finds names in a text: plain words as a key, an element or an attribute, all others everywhere. With `word`, whole words. */
export function createSearch(names: Iterable<string>): (text: string, as: 'name' | 'word' | 'part') => Generator<string> {
  const firstWord = /[\p{L}\p{N}$]+/u
  const byWord = groupBy(names, (name) => firstWord.exec(name)?.[0] ?? name)
  const isInWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_$-]/u.test(character)
  return function* (text, as) {
    const isPattern = as === 'part'
    if (byWord.size === 0) return
    for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}$]+/gu)) {
      for (const name of byWord.get(word) ?? []) {
        const start = index - name.indexOf(word)
        const [before, after] = [text[start - 1], text[start + name.length]]
        if (!text.startsWith(name, start)) continue
        if (!isPattern && (isInWord(before) || isInWord(after))) continue
        // A path is no part of a longer one.
        if (!isPattern && after === '/' && name.startsWith('/')) continue
        if (as !== 'name' || !isPlainWord(name) || isKeyBetween(before, text.slice(start + name.length, start + name.length + 2)))
          yield name
      }
    }
  }
}

function isKeyBetween(before: string | undefined, after: string): boolean {
  const separates = (character: string | undefined) => character === undefined || /[,;|\t\r\n]/.test(character)
  return /[<"'`&?{/[.]/.test(before ?? '') || /^\s?["'`=>\]:]/.test(after) || (separates(before) && separates(after[0]))
}

/** The words of the specification, which tell nothing wherever they stand. */
export function listSpecificationWords(): ReadonlySet<string> {
  const tables = releases.flatMap((release) => [...objectTables(release).values()])
  return new Set(tables.flatMap(({ fields }) => [...fields.keys()]))
}
