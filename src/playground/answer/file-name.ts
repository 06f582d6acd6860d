const extensions: Readonly<Record<string, string>> = {
  json: 'json',
  xml: 'xml',
  html: 'html',
  pdf: 'pdf',
  csv: 'csv',
  png: 'png',
  jpeg: 'jpg',
  zip: 'zip',
  plain: 'txt',
  yaml: 'yaml',
}

/** What the server calls the file, else the end of the address with the extension of its type. Without a path, controls or a dot in front. */
export function toFileName(disposition: string | undefined, mediaType: string | undefined, url: string): string {
  const named = /filename="?([^";]+)/i.exec(disposition ?? '')?.[1]
  const last = new URL(url).pathname.split('/').findLast((step) => step !== '')
  const name =
    (named ?? last ?? '')
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^[.-]+/, '')
      .slice(-100) || 'response'
  const extension = extensions[/[/+]([a-z]+)$/.exec(mediaType ?? '')?.[1] ?? '']
  return /\.[a-z0-9]{1,5}$/i.test(name) || extension === undefined ? name : `${name}.${extension}`
}
