import type { FastifyInstance } from 'fastify'

/** All routes of a server, such as `GET /v1/openapi.json`. Each `HEAD` belongs to a `GET`. */
export function listRoutes(server: FastifyInstance): readonly string[] {
  const parents: string[] = []
  const lines = server.printRoutes({ commonPrefix: false }).split('\n')
  return lines.flatMap((line) => {
    const [, indent = '', path = '', methods = ''] = /^([│ ]*)[├└]── (.*?)(?: \(([A-Z, ]+)\))?$/.exec(line) ?? []
    if (path === '') return []
    parents.splice(indent.length / 4, parents.length, path)
    const url = parents
      .join('')
      .replace(/^\/(?=\/)/, '')
      .replace(/\/assets\/\w+\//, '/assets/:hash/')
    return methods.split(', ').flatMap((method) => (method === 'HEAD' || method === '' ? [] : [`${method} ${url}`]))
  })
}
