import type { RepositoryName } from '../../github/types.ts'

/**
 * Reads owner and name from the address of a remote (`https://host/owner/name.git`, `git@host:owner/name`, `ssh://git@host/…`);
 * undefined where that is not on the server.
 */
export function findRepositoryName(address: string, serverUrl: string): RepositoryName | undefined {
  if (!URL.canParse(serverUrl)) return undefined
  const server = new URL(serverUrl)
  const [, shortHost, shortPath = ''] = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)(.+)$/.exec(address) ?? []
  if (shortHost !== undefined) return shortHost === server.hostname ? toName(shortPath) : undefined
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:'
  // The port of ssh has nothing to do with that of the web.
  const isThere = isWeb ? url.host === server.host : url.protocol === 'ssh:' && url.hostname === server.hostname
  return isThere ? toName(url.pathname) : undefined
}

function toName(path: string): RepositoryName | undefined {
  const [owner, repo, ...more] = path
    .replace(/^\/+|(?<!\/)\/+$/g, '')
    .replace(/\.git$/, '')
    .split('/')
  return owner && repo && more.length === 0 ? { owner, repo } : undefined
}
