import * as http from 'node:http'

/** The variables that say which proxy to use, as `curl` reads them. */
export type ProxyVariables = { readonly [name: string]: string | undefined }

const names = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY']

let running = 0
let restore: (() => void) | undefined

/**
 * Runs work with the requests of `fetch` sent through the proxy that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name (or the same in
 * small letters).
 *
 * Node can only switch this for the whole process, so it is switched back when the last such work has ended. A Node without the switch
 * (before 24.14) reads the variables itself when `NODE_USE_ENV_PROXY=1` is set.
 */
export async function throughProxy<Value>(variables: ProxyVariables, work: () => Promise<Value>): Promise<Value> {
  if (!hasProxy(variables) || !canSwitchProxy) return await work()
  if (running++ === 0) restore = http.setGlobalProxyFromEnv({ ...variables })
  try {
    return await work()
  } finally {
    if (--running === 0) restore?.()
  }
}

/** Whether a proxy is named that this Node will not use. */
export function isProxyIgnored(variables: ProxyVariables): boolean {
  return hasProxy(variables) && !canSwitchProxy && variables['NODE_USE_ENV_PROXY'] !== '1'
}

function hasProxy(variables: ProxyVariables): boolean {
  return names.some((name) => variables[name])
}

// The types are those of the newest Node.
const canSwitchProxy = typeof (http as Partial<typeof http>).setGlobalProxyFromEnv === 'function'
