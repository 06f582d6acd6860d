import { isAllowedByPolicy } from './is-allowed-by-policy.ts'

/** Why a browser will refuse to send a request to an address, as far as it is known without trying. */
export function findFailureBefore(url: string): 'mixed' | 'policy' | undefined {
  const to = new URL(url)
  // Browsers take a server on the reader's own machine for a safe one.
  const isOwn = /^(?:localhost|.*\.localhost|127(?:\.\d+){3}|\[::1\])$/.test(to.hostname)
  if (location.protocol === 'https:' && to.protocol === 'http:' && !isOwn) return 'mixed'
  return isAllowedHere(to) ? undefined : 'policy'
}

/** Whether the policy that this page carries allows requests to an address. */
export function isAllowedHere(url: URL): boolean {
  const policies = document.querySelectorAll<HTMLMetaElement>('meta[http-equiv="Content-Security-Policy"]')
  return [...policies].every(({ content }) => isAllowedByPolicy(content, url, new URL(location.href)))
}
