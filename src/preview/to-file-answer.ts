import { toOwnContentType, toShownContentType } from '../site/files/content-type.ts'
import type { Answer } from './preview-server.ts'

/** A file of ours, such as a script. */
export function toOwnFileAnswer(path: string, content: string | Uint8Array): Answer {
  return { status: 200, headers: { 'Content-Type': toOwnContentType(path) }, body: content }
}

/** A file of the repository. Opened by itself it is alone: it runs nothing and loads nothing. */
export function toRepositoryFileAnswer(path: string, content: Uint8Array): Answer {
  const type = toShownContentType(path)
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
