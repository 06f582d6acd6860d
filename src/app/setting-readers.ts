import { createPrivateKey } from 'node:crypto'

/** What a setting's text means, or what is wrong with it (a fragment that follows the name of the setting). */
export type Reading<Value> = { readonly value: Value } | { readonly mistake: string; readonly fix: string }

/** Any text. */
export const text = (value: string): Reading<string> => ({ value })

/** A whole number between two others, both allowed; `example` is shown where it is none. */
export function wholeNumber(least: number, most: number, example: number): (value: string) => Reading<number> {
  return (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (number >= least && number <= most) return { value: number }
    return { mistake: `expected a whole number from ${least} to ${most}`, fix: `for example \`${example}\`` }
  }
}

/** One of some words, in any case. */
export function oneOf<Word extends string>(...words: readonly Word[]): (value: string) => Reading<Word> {
  return (value) => {
    const found = words.find((word) => word === value.toLowerCase())
    return found ? { value: found } : { mistake: `expected ${words.map((word) => `\`${word}\``).join(', ')}`, fix: 'choose one' }
  }
}

/** An address without a path, query or user, and without the final `/`. */
export function origin(example: string): (value: string) => Reading<string> {
  return (value) => {
    const mistake = { mistake: 'expected the address of a server, without a path', fix: `for example \`${example}\`` }
    if (!URL.canParse(value)) return mistake
    const url = new URL(value)
    const plain = url.pathname === '/' && !url.search && !url.hash && !url.username && !url.password
    return plain && /^https?:$/.test(url.protocol) ? { value: url.origin } : mistake
  }
}

/** An address that may have a path, without the final `/`. */
export function issuer(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected the address of an OIDC issuer',
    fix: 'for example `https://token.actions.githubusercontent.com/acme`',
  }
  if (!URL.canParse(value)) return mistake
  const { protocol, search, hash, href } = new URL(value)
  return /^https?:$/.test(protocol) && !search && !hash ? { value: href.replace(/\/$/, '') } : mistake
}

/** `true` believes every proxy; a number believes that many hops; else addresses and networks, as `proxy-addr` names them. */
export function trustProxy(value: string): Reading<boolean | number | readonly string[]> {
  if (/^(true|false)$/i.test(value)) return { value: value.toLowerCase() === 'true' }
  if (/^\d{1,2}$/.test(value)) return { value: Number(value) }
  const networks = value.split(',').map((part) => part.trim())
  if (networks.every((part) => /^(loopback|linklocal|uniquelocal|[0-9a-f.:]+(\/[0-9.]{1,15})?)$/i.test(part))) {
    return { value: networks }
  }
  return {
    mistake: 'expected `false`, the number of proxies, or their addresses',
    fix: 'for example `loopback` or `10.0.0.0/8,127.0.0.1`',
  }
}

/** PEM as it is, with `\n` written out, or the whole in base64; the result is PKCS #8, which every consumer reads. */
export function privateKey(value: string): Reading<string> {
  const mistake = {
    mistake: 'expected an RSA private key: PEM, PEM with `\\n` for line ends, or base64 of PEM',
    fix: 'generate one on the page of the GitHub App under "Private keys" and give the whole file',
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

/** At least 16 characters, so that it cannot be guessed. */
export function webhookSecret(value: string): Reading<string> {
  if (value.length >= 16) return { value }
  return {
    mistake: 'expected at least 16 characters',
    fix: 'make one with `openssl rand -hex 32` and set it on the GitHub App too',
  }
}

/** A bearer token: as long as a webhook secret, in the characters that the header allows (RFC 6750, section 2.1). */
export function longSecret(value: string): Reading<string> {
  if (/^[\w.~+/-]{16,500}=*$/.test(value)) return { value }
  return {
    mistake: 'expected at least 16 letters, digits or `-._~+/`',
    fix: 'make one with `openssl rand -hex 32`',
  }
}

/** The name of a domain, without scheme, port or path; `off` for none. */
export function domain(example: string): (value: string) => Reading<string> {
  return (value) => {
    const name = value.toLowerCase().replace(/\.$/, '')
    if (name.length <= 190 && /^[a-z0-9-]+(?:\.[a-z0-9-]+)*$/.test(name)) return { value: name }
    return { mistake: 'expected the name of a domain, without `https://` and without a port', fix: `for example \`${example}\`` }
  }
}
