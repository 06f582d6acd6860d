import type { Answer } from '../send/sent.ts'
import { toFileName } from './file-name.ts'

/** Hands the whole content to the browser as a file. Nothing of it opens here: its type is that of no document. */
export function download({ body, headers, mediaType }: Pick<Answer, 'body' | 'headers' | 'mediaType'>, url: string): void {
  if (!body) return
  const link = document.createElement('a')
  link.href = URL.createObjectURL(body)
  link.download = toFileName(headers.find(({ name }) => name === 'content-disposition')?.value, mediaType, url)
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
