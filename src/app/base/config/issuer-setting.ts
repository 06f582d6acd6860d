import { type Static, Type } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { isLoopback } from '../../../files/network.ts'
import { parseJson } from '../../../text/json/json-values.ts'
import type { Reading } from './setting-readers.ts'

const Text = Type.String({ minLength: 1, maxLength: 2_000 })

const IssuerSchema = Type.Object(
  {
    /** In the names of its groups: `oidc:corp/partners`. */
    name: Type.String({ pattern: '^(?!github$)[A-Za-z0-9][\\w-]{0,38}$' }),
    /** As the issuer names itself, with its trailing `/` if it has one. */
    url: Text,
    clientId: Text,
    clientSecret: Text,
    /** What a sign-in asks for. */
    scope: Type.Optional(Text),
    /** The path of the claim with the groups: `realm_access.roles`, or a list for names with dots. */
    groups: Type.Optional(Type.Union([Text, Type.Array(Text, { minItems: 1, maxItems: 10 })])),
    /** Other names for the groups. Groups that it does not list are left out. */
    mapping: Type.Optional(Type.Record(Type.String(), Text)),
    /** Other origins with endpoints of the issuer. */
    origins: Type.Optional(Type.Array(Text, { maxItems: 10 })),
  },
  { additionalProperties: false },
)

const IssuersSchema = Type.Array(IssuerSchema, { maxItems: 20 })

/** An OpenID Connect issuer that people sign in with. */
export type Issuer = Readonly<Static<typeof IssuerSchema>>

/** Accepts a JSON list of issuers. A mistake names the place, but never a value: there are secrets among them. */
export function issuers(value: string): Reading<readonly Issuer[]> {
  const list = parseJson(value)
  const fix = 'For example `[{"name":"corp","url":"https://id.example.com","clientId":"docs","clientSecret":"…"}]`'
  if (!Check(IssuersSchema, list)) {
    const [fault] = Errors(IssuersSchema, list)
    return { mistake: `expected a JSON list of issuers, but ${fault?.instancePath || 'the value'} ${fault?.message}`, fix }
  }
  if (new Set(list.map(({ name }) => name)).size < list.length) return { mistake: 'two issuers have the same name', fix }
  const isSecure = list.every(({ url, origins = [] }) => [url, ...origins].every(isSecureUrl))
  return isSecure ? { value: list } : { mistake: 'expected `https` URLs, or `http` URLs of this machine', fix }
}

function isSecureUrl(text: string): boolean {
  const url = URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url))
}
