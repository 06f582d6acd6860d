import { entriesOf, listTexts, readText, stringOf } from '../../text/json/json-values.ts'
import { isUrl, joinPath, parentPath } from '../../text/plain/paths.ts'
import { type Kind, type Setting, single } from './config-setting.ts'

/** A ruleset that a configuration file names. */
export type RulesetSetting =
  /** Relative to the boundary, or the name of a built-in ruleset such as `spectral:oas`. */
  | { readonly kind: 'path'; readonly path: string }
  /** A URL is only read if its content has this SHA-256 hash, in lower case. */
  | { readonly kind: 'url'; readonly url: string; readonly sha256: string }

/** The rulesets of documents. `false`: none. Undefined: the nearest `.spectral.yaml`. */
type RulesetsSetting = readonly RulesetSetting[] | false | undefined

const urlPattern = /^https:\/\//
const hashPattern = /^[0-9a-fA-F]{64}$/

const kind: Kind<RulesetsSetting> = {
  expected: '`false`, or a list of paths and URLs',
  code: 'wrong-value',
  schema: {
    anyOf: [
      { const: false },
      {
        type: 'array',
        items: {
          anyOf: [
            { type: 'string', minLength: 1, not: { pattern: '^(https?://|[/\\\\]|[A-Za-z]:[/\\\\])' } },
            {
              type: 'object',
              required: ['url', 'sha256'],
              additionalProperties: false,
              properties: {
                url: { description: 'The URL of the ruleset.', type: 'string', pattern: '^https://' },
                sha256: { description: 'The SHA-256 hash of its content.', type: 'string', pattern: hashPattern.source },
              },
            },
          ],
        },
      },
    ],
  },
  meanings: {
    false: 'none, also if there is a `.spectral.yaml`',
    '[style/rules.yaml]': 'these files, relative to the configuration file',
    '[{ url: "https://…", sha256: … }]': 'a URL, if its content has this SHA-256 hash',
  },
  hint: (written) =>
    listTexts(written).some(isUrl)
      ? 'Add the hash of the content: `{ url: "https://…", sha256: "…" }`'
      : 'Use a list, for example `rulesets: [style/rules.yaml]`',
  toValue: (written) => {
    if (written === false) return false
    if (!Array.isArray(written)) return undefined
    const read = written.map(toRuleset)
    return read.every((entry) => entry !== undefined) ? read : undefined
  },
}

function toRuleset(entry: unknown): RulesetSetting | undefined {
  const path = stringOf(entry)
  if (path !== undefined) {
    const isPath = path !== '' && !isUrl(path) && !/^([/\\]|[a-z]:[/\\])/i.test(path)
    return isPath ? { kind: 'path', path } : undefined
  }
  const [url = '', sha256 = ''] = [readText(entry, 'url'), readText(entry, 'sha256')]
  const isValid = urlPattern.test(url) && URL.canParse(url) && hashPattern.test(sha256) && entriesOf(entry).length === 2
  return isValid ? { kind: 'url', url, sha256: sha256.toLowerCase() } : undefined
}

const written = single(kind, {
  description: 'The Spectral rulesets for the documents, relative to the configuration file',
  see: 'Rulesets',
  shownDefault: 'the nearest `.spectral.yaml`, `.spectral.yml` or `.spectral.json`',
  example: '[style/rules.yaml]',
  byDefault: undefined,
})

/** `rulesets`: the Spectral rulesets for the documents. */
export const rulesets: Setting<RulesetsSetting> = {
  ...written,
  read: (value, place) => {
    const read = written.read(value, place)
    const fromConfig = (path: string) => (path.startsWith('spectral:') ? path : joinPath(parentPath(place.file), path))
    if (!read) return read
    return read.map((entry) => (entry.kind === 'path' ? { ...entry, path: fromConfig(entry.path) } : entry))
  },
}
