import type { PlaygroundServer, PlaygroundValues } from '../types.ts'

/**
 * The address of a server without a slash at its end: variables filled in as chosen, else with their defaults, relative ones resolved against
 * `base`, the address of the page. Absent where it is none, or one of another kind than http.
 */
export function toServerUrl(
  server: PlaygroundServer,
  variables: Readonly<Record<string, string>>,
  base: string,
): string | undefined {
  const filled = server.url.replace(/\{([^{}]*)\}/g, (whole, name: string) => {
    const variable = server.variables.find((one) => one.name === name)
    return (Object.hasOwn(variables, name) ? variables[name] : undefined) || variable?.default || whole
  })
  if (!URL.canParse(filled, base)) return undefined
  const { protocol, origin, pathname, username, password } = new URL(filled, base)
  // A name and password in an address would be sent by some browsers and shown by all.
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined
  return origin + decodeBraces(pathname).replace(/(?<!\/)\/+$/, '')
}

/** The server that is chosen: one of the operation's, or what the reader has typed. */
export function chooseServer(
  servers: readonly PlaygroundServer[],
  { index, variables }: PlaygroundValues['server'],
): PlaygroundServer {
  if (index === servers.length) return { url: variables[typedServer] ?? '', description: undefined, variables: [] }
  return servers[index] ?? servers[0] ?? { url: '/', description: undefined, variables: [] }
}

/** The key among the values of variables under which an address stands that the reader typed; no variable has it. */
export const typedServer = ''

/** A variable without a value stays as it is written, for samples. */
function decodeBraces(path: string): string {
  return path.replaceAll('%7B', '{').replaceAll('%7D', '}')
}
