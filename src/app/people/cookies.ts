import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * A cookie of ours on one host: never of a parent domain, never for scripts, sent along when somebody follows a link to us.
 *
 * Over TLS its name has the prefix by which browsers hold the server to that (`__Host-`, RFC 6265bis section 4.1.3). Over plain
 * HTTP, as on `localhost`, the prefix is not allowed.
 */
export interface HostCookie {
  read(request: FastifyRequest): string | undefined
  set(reply: FastifyReply, value: string, maxAgeSeconds: number): void
  clear(reply: FastifyReply): void
}

/** @param isSecure Whether browsers reach the host by `https`. */
export function hostCookie(name: string, isSecure: boolean): HostCookie {
  const fullName = isSecure ? `__Host-${name}` : name
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  // Of this header, and of no other, Fastify keeps those that are set already.
  const add = (reply: FastifyReply, text: string) => reply.header('Set-Cookie', text)
  return {
    read(request) {
      for (const pair of (request.headers.cookie ?? '').split(';')) {
        const [key = '', value = ''] = pair.trim().split('=', 2)
        if (key === fullName && /^[\w.~-]+$/.test(value)) return value
      }
      return undefined
    },
    set: (reply, value, maxAgeSeconds) => add(reply, `${fullName}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`),
    clear: (reply) => add(reply, `${fullName}=; Max-Age=0; ${attributes}`),
  }
}
