import { ConfigError } from '../errors.ts'
import { isLoopback } from '../files/is-loopback.ts'

/**
 * Reads the address of an app that a token will be sent to: https, or plain http to this machine.
 *
 * @param name of the input or option that it comes from, for the message.
 * @returns the origin, without a final `/`.
 * @throws {ConfigError}
 */
export function readAppAddress(text: string, name: string): string {
  const refuse = (expected: string, hint: string): never => {
    throw new ConfigError(`Unexpected \`${hidePassword(text)}\` for ${name}, expected ${expected}`, { hint })
  }
  const example = 'for example `https://pages.example.com`'
  if (!URL.canParse(text)) return refuse('the address of an app', example)
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return refuse('an address without a user name or password', 'the token is enough')
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))) {
    return refuse('an `https:` address', 'a token is not sent over plain http, except to this machine')
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') {
    return refuse('an address without a path', `\`${url.origin}\` is enough`)
  }
  return url.origin
}

function hidePassword(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//***@').slice(0, 200)
}
