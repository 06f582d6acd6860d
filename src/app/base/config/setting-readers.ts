import { createPrivateKey } from 'node:crypto'
import { listChoices } from '../../../text/plain/lists.ts'
import { normalizePath } from '../../../text/plain/paths.ts'

/** The parsed value of a setting, or an error: `mistake` follows the name of the setting in a message. */
export type Reading<Value> = { readonly value: Value } | { readonly mistake: string; readonly fix: string }

/** Accepts any string. */
export const text = (value: string): Reading<string> => ({ value })

/** Accepts an integer in an inclusive range. `example` appears in the error. */
export function wholeNumber(least: number, most: number, example: number): (value: string) => Reading<number> {
  return (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return { value: number }
    return { mistake: `expected an integer from ${least} to ${most}`, fix: `For example \`${example}\`` }
  }
}

/** Accepts one of the choices, ignoring case. */
export function oneOf<Choice extends string>(...choices: readonly Choice[]): (value: string) => Reading<Choice> {
  return (value) => {
    const found = choices.find((choice) => choice === value.toLowerCase())
    if (found) return { value: found }
    return { mistake: `expected ${listChoices(choices)}`, fix: 'Use one of these values' }
  }
}

/** Accepts a URL without path, query or user info; removes the trailing `/`. */
export function origin(example: string): (value: string) => Reading<string> {
  return (value) => {
    const mistake = { mistake: 'expected a server URL without a path', fix: `For example \`${example}\`` }
    if (!URL.canParse(value)) return mistake
    const url = new URL(value)
    const plain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
    return plain && /^https?:$/.test(url.protocol) ? { value: url.origin } : mistake
  }
}

/** Accepts a URL with an optional path; removes the trailing `/`. */
export function issuer(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected the URL of an OIDC issuer',
    fix: 'For example `https://token.actions.githubusercontent.com/acme`',
  }
  if (!URL.canParse(value)) return mistake
  const { protocol, search, hash, href } = new URL(value)
  return /^https?:$/.test(protocol) && !search && !hash ? { value: href.replace(/\/$/, '') } : mistake
}

/** Accepts the URL of a PostgreSQL database. The host may be missing, because `?host=` can name the folder of a Unix socket. */
export function postgresUrl(value: string): Reading<string> {
  if (/^postgres(ql)?:\/\//.test(value) && (URL.canParse(value) || /^\w+:\/\/[^/@]*@\//.test(value))) return { value }
  return {
    mistake: 'expected the URL of a PostgreSQL database',
    fix: 'For example `postgres://user:password@db.example.com:5432/pages`',
  }
}

/** The name of a bucket, and a prefix that is empty or ends with `/`. */
interface BucketName {
  readonly name: string
  readonly prefix: string
}

/** Accepts `s3://name` or `s3://name/prefix`. */
export function bucket(value: string): Reading<BucketName> {
  const [, name, rest = ''] = /^s3:\/\/([a-z0-9][a-z0-9._-]{1,253}[a-z0-9])(?:\/([\w!.*'()/-]{0,500}))?$/i.exec(value) ?? []
  const prefix = rest.replace(/^\/+|\/+$/g, '')
  if (name !== undefined) return { value: { name, prefix: prefix === '' ? '' : `${prefix}/` } }
  return { mistake: 'expected the URL of a bucket', fix: 'For example `s3://acme-docs` or `s3://acme-docs/sites`' }
}

/** `true` trusts every proxy, and a number trusts that many hops. Other values are addresses and networks in the syntax of `proxy-addr`. */
export function trustProxy(value: string): Reading<boolean | number | readonly string[]> {
  if (/^(true|false)$/i.test(value)) return { value: value.toLowerCase() === 'true' }
  if (/^\d{1,2}$/.test(value)) return { value: Number(value) }
  const networks = value.split(',').map((part) => part.trim())
  if (networks.every((part) => /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/[0-9.]{1,15})?)$/i.test(part))) {
    return { value: networks }
  }
  return {
    mistake: 'expected `true`, `false`, the number of proxies, or their IP addresses',
    fix: 'For example `loopback` or `10.0.0.0/8,127.0.0.1`',
  }
}

/** Accepts PEM, PEM with literal `\n`, or PEM in base64. The result is PKCS #8. */
export function privateKey(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected an RSA private key: PEM, PEM with `\\n` for line breaks, or PEM in base64',
    fix: 'Generate one under "Private keys" in the settings of the GitHub App, and use the whole file',
  }
  const pem = value.includes('-----BEGIN') ? value.replaceAll('\\n', '\n') : Buffer.from(value, 'base64').toString('utf8')
  if (!pem.includes('-----BEGIN')) return mistake
  try {
    const key = createPrivateKey(pem)
    if (key.asymmetricKeyType !== 'rsa') return mistake
    return { value: key.export({ type: 'pkcs8', format: 'pem' }).toString() }
  } catch {
    return mistake
  }
}

/** Accepts at least 16 characters, so that it cannot be guessed. */
export function webhookSecret(value: string): Reading<string> {
  if (value.length >= 16) return { value }
  return {
    mistake: 'expected at least 16 characters',
    fix: 'Generate one with `openssl rand -hex 32`, and set it in the GitHub App too',
  }
}

/** Accepts a bearer token of at least 16 of the characters allowed by RFC 6750, section 2.1. */
export function longSecret(value: string): Reading<string> {
  if (/^[\w.~+/-]{16,500}=*$/.test(value)) return { value }
  return {
    mistake: 'expected at least 16 letters, digits or `-._~+/`',
    fix: 'Generate one with `openssl rand -hex 32`',
  }
}

/** Accepts a domain name without scheme, port or path. */
export function domain(example: string): (value: string) => Reading<string> {
  return (value) => {
    const name = value.toLowerCase().replace(/\.$/, '')
    if (name.length <= 190 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(name)) return { value: name }
    return { mistake: 'expected a domain name without `https://` and port', fix: `For example \`${example}\`` }
  }
}

/** Accepts names of repositories, separated by commas. `*` matches any part of a name. */
export function repositories(value: string): Reading<readonly string[]> {
  const names = value.split(',').map((name) => name.trim())
  if (!names.every((name) => /^[\w.*-]{1,100}\/[\w.*-]{1,100}$/.test(name)))
    return { mistake: 'expected `owner/name`, separated by commas', fix: 'For example `acme/sandbox, acme/legacy-*`' }
  return { value: names }
}

/** Accepts logins and IDs of GitHub accounts, separated by commas. A number is refused, because it could be either. */
export function accounts(value: string): Reading<readonly string[]> {
  const names = value.split(',').map((name) => name.trim().toLowerCase())
  if (names.every((name) => /^(?:(?!\d+$)[a-z\d][\w-]{0,99}|id:[1-9]\d{0,15})$/.test(name))) return { value: names }
  return { mistake: 'expected logins or IDs of GitHub accounts, separated by commas', fix: 'For example `octocat, id:583231`' }
}

/** Accepts the path of a file in a repository, or `off`, which is `undefined`. */
export function repositoryPath(example: string): (value: string) => Reading<string | undefined> {
  return (value) => {
    if (value === 'off') return { value: undefined }
    const isPath = normalizePath(value) === value && !value.startsWith('../') && !value.includes('\\')
    if (isPath && value.length <= 1_000) return { value }
    return { mistake: 'expected a path relative to the repository, or `off`', fix: `For example \`${example}\`` }
  }
}
