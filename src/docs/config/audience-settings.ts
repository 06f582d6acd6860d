import { listGroups, noGroups, type Readers } from '../../openapi/public/restriction-marks.ts'
import { ConfigError } from '../../text/errors.ts'
import { listOf, pointerChild, stringOf } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { type Kind, type Place, readEntries, type Setting, single } from './config-setting.ts'

/** Readers with a site of their own. A reader belongs to the first audience that has one of their groups. */
export interface Audience {
  readonly name: string
  /** As `listGroups` returns them. */
  readonly groups: readonly string[]
}

/** Each has a build. */
const maxAudiences = 8

const example = 'name: partners, groups: [oidc:corp/partners]'

const namePattern = /^(?!public$)[a-z0-9][a-z0-9-]{0,38}$/

/** A group of an issuer, a team, or a name without an issuer. */
const groupPattern = /^(?:oidc:[A-Za-z0-9][\w-]*\/[^,]+|github:[A-Za-z0-9-]+\/[\w.-]+|[^\s,:][^,:]*)$/

const audienceName: Kind<string | undefined> = {
  expected: 'lower-case letters, digits and `-`, other than `public`',
  code: 'wrong-value',
  schema: { type: 'string', pattern: namePattern.source },
  hint: () => 'Use another name. `public` is the site of all other readers',
  toValue: (written) => namePattern.exec(stringOf(written) ?? '')?.[0],
}

const groupList: Kind<readonly string[]> = {
  expected: 'a list of groups such as `oidc:corp/partners`, `github:acme/docs` or `partners`',
  code: 'wrong-value',
  schema: { type: 'array', minItems: 1, items: { type: 'string', pattern: groupPattern.source } },
  toValue: (written) => {
    const isGroup = (one: unknown) => groupPattern.test(stringOf(one) ?? '')
    return listOf(written).length > 0 && listOf(written).every(isGroup) ? listGroups(written) : undefined
  },
}

const keys = {
  name: single(audienceName, { description: 'The name of the audience, for `--audience`.', byDefault: undefined }),
  groups: single(groupList, { description: 'The groups of its readers.', byDefault: [] }),
}

/** `site.audiences`. Undefined if it is not written. An audience with an error is left out, so that no reader sees more because of it. */
export const audiences: Setting<readonly Audience[] | undefined> = {
  description: `Readers with a site of their own, at most ${maxAudiences}. A reader gets the site of the first audience that has one of their groups`,
  see: 'Audiences',
  shownDefault: 'none',
  example: `[{ ${example} }]`,
  schema: {
    type: 'array',
    maxItems: maxAudiences,
    items: {
      type: 'object',
      required: Object.keys(keys),
      additionalProperties: false,
      properties: Object.fromEntries(
        Object.entries(keys).map(([key, { description, schema }]) => [key, { description, ...schema }]),
      ),
    },
  },
  byDefault: undefined,
  read: (written, place) => {
    if (!Array.isArray(written) || written.length > maxAudiences) {
      const message = `Unexpected value for \`audiences\`, expected a list of at most ${maxAudiences} audiences`
      const hint = `Use a list, for example \`- { ${example} }\``
      place.report({ code: 'wrong-type', message, pointer: place.pointer, hint })
      return []
    }
    const read: Audience[] = []
    for (const [index, entry] of written.entries()) {
      const at = { ...place, pointer: pointerChild(place.pointer, index) }
      const audience = readAudience(entry, at)
      if (!audience) continue
      if (!read.some(({ name }) => name === audience.name)) read.push(audience)
      else at.report({ code: 'wrong-value', message: `Unexpected second audience \`${audience.name}\``, pointer: at.pointer })
    }
    return read
  },
}

function readAudience(entry: unknown, place: Place): Audience | undefined {
  const entries = readEntries<unknown>(entry, place, {
    keys,
    example,
    expected: 'mappings with `name` and `groups`',
    unknown: (key) => `\`${key}\` in \`audiences\`, expected ${listChoices(Object.keys(keys))}`,
  })
  if (!entries) return undefined
  for (const key of Object.keys(keys)) {
    const message = `Missing \`${key}\` in \`audiences\``
    if (!Object.hasOwn(Object(entry), key))
      place.report({ code: 'missing-field', message, pointer: place.pointer, hint: `Add \`${key}\`` })
  }
  const values = new Map(entries)
  const name = stringOf(values.get('name'))
  const groups = listGroups(values.get('groups'))
  return name === undefined || groups.length === 0 ? undefined : { name, groups }
}

/** Who reads. */
export interface AudienceTerms {
  /** The name of an audience. Default: `public`, the readers without a group. */
  readonly audience?: string | undefined
  /** The audiences of another version, which count instead of those of the configuration file. */
  readonly audiences?: readonly Audience[] | undefined
}

/**
 * The readers of a build. Without a name, or with `public`: those without a group.
 *
 * @throws {ConfigError} if there is no audience of this name.
 */
export function toReaders(
  site: Pick<AudienceTerms, 'audiences'>,
  { audience: name = 'public', audiences = site.audiences }: AudienceTerms = {},
): Readers {
  const found = audiences?.find((audience) => audience.name === name)
  const known = audiences ? ['public', ...audiences.map((audience) => audience.name)] : ['public', 'internal']
  if (!known.includes(name)) {
    throw new ConfigError(`unknown value \`${name}\` for --audience, expected ${listChoices(known)}`, {
      hint: didYouMean(suggest(name, known)) ?? 'Add it to `site.audiences` in the configuration file',
    })
  }
  return audiences ? { groups: found?.groups ?? [], hasAudiences: true } : noGroups
}
