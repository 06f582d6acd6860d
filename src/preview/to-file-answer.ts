import { extname } from 'node:path'
import type { Answer } from './preview-server.ts'

/** Files of ours: the only ones that may run. */
const ownTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
}

/** What browsers show inside a page. Everything else of a repository is offered for saving. */
const shownTypes: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.ico': 'image/x-icon',
  '.bmp': 'image/bmp',
  '.svg': 'image/svg+xml',
  '.mp4': 'video/mp4',
  '.m4v': 'video/mp4',
  '.webm': 'video/webm',
  '.mov': 'video/quicktime',
  '.ogv': 'video/ogg',
  '.mp3': 'audio/mpeg',
  '.m4a': 'audio/mp4',
  '.ogg': 'audio/ogg',
  '.wav': 'audio/wav',
  '.vtt': 'text/vtt; charset=utf-8',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.otf': 'font/otf',
  '.pdf': 'application/pdf',
  '.txt': 'text/plain; charset=utf-8',
  '.csv': 'text/csv; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.yaml': 'text/plain; charset=utf-8',
  '.yml': 'text/plain; charset=utf-8',
  '.md': 'text/markdown; charset=utf-8',
}

/** A file of ours, such as a script. */
export function toOwnFileAnswer(path: string, content: string | Uint8Array): Answer {
  const type = ownTypes[extname(path)] ?? 'application/octet-stream'
  return { status: 200, headers: { 'Content-Type': type }, body: content }
}

/** A file of the repository. Opened by itself it is alone: it runs nothing and loads nothing. */
export function toRepositoryFileAnswer(path: string, content: Uint8Array): Answer {
  const type = shownTypes[extname(path).toLowerCase()]
  return {
    status: 200,
    headers: {
      'Content-Type': type ?? 'application/octet-stream',
      'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox",
      ...(type === undefined ? { 'Content-Disposition': 'attachment' } : {}),
    },
    body: content,
  }
}
