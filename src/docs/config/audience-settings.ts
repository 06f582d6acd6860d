import { listGroups, noGroups, type Readers } from '../../openapi/public/restriction-marks.ts'
import { ConfigError } from '../../text/errors.ts'
import { listOf, stringOf } from '../../text/json/json-values.ts'
import { listChoices } from '../../text/plain/lists.ts'
import { didYouMean, suggest } from '../../text/plain/suggest.ts'
import { type Kind, listOfMappings, single } from './config-setting.ts'

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
export const audiences = listOfMappings<Audience, readonly Audience[] | undefined>(keys, {
  description: `Readers with a site of their own, at most ${maxAudiences}. A reader gets the site of the first audience that has one of their groups`,
  see: 'Audiences',
  shownDefault: 'none',
  example: `[{ ${example} }]`,
  byDefault: undefined,
  required: Object.keys(keys),
  entry: example,
  expected: `a list of at most ${maxAudiences} audiences`,
  maxItems: maxAudiences,
  otherwise: [],
  toValue: (values, { pointer, report }, before) => {
    const name = stringOf(values.get('name'))
    const groups = listGroups(values.get('groups'))
    if (name === undefined || groups.length === 0) return undefined
    if (!before.some((audience) => audience.name === name)) return { name, groups }
    report({ code: 'wrong-value', message: `Unexpected second audience \`${name}\``, pointer })
    return undefined
  },
})

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
