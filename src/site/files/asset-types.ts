/** What a file of the repository may be in a site. */
export type AssetType =
  /** Shown or offered as it is; nothing in it can run. */
  | 'inert'
  /** A drawing that may hold script: looked through before it is taken. */
  | 'svg'
  /** Text and data that only a link makes public. */
  | 'data'

const types: Readonly<Record<AssetType, readonly string[]>> = {
  inert: [
    ...['png', 'jpg', 'jpeg', 'gif', 'webp', 'avif', 'ico', 'bmp', 'jxl'],
    ...['mp4', 'm4v', 'webm', 'mov', 'ogv', 'mp3', 'm4a', 'ogg', 'oga', 'wav', 'flac', 'vtt', 'srt', 'lottie'],
    ...['woff', 'woff2', 'ttf', 'otf'],
  ],
  svg: ['svg'],
  data: [
    ...[
      'pdf',
      'zip',
      'gz',
      'tgz',
      'tar',
      '7z',
      'txt',
      'csv',
      'tsv',
      'json',
      'jsonl',
      'ndjson',
      'yaml',
      'yml',
      'toml',
      'xlsx',
      'docx',
    ],
    ...[
      'pptx',
      'epub',
      'proto',
      'graphql',
      'sql',
      'sh',
      'ps1',
      'py',
      'ipynb',
      'ics',
      'pem',
      'asc',
      'mmdb',
      'parquet',
      'postman_collection',
    ],
  ],
}

const byExtension = new Map(
  (Object.keys(types) as AssetType[]).flatMap((type) => types[type].map((extension) => [extension, type] as const)),
)

/**
 * The type of a file by its extension; absent for those that are never published: what a browser would run on the site's own origin (HTML, script,
 * XML with a stylesheet), and what nobody knows.
 */
export function assetType(path: string): AssetType | undefined {
  return byExtension.get(/\.([a-z0-9_]+)$/i.exec(path)?.[1]?.toLowerCase() ?? '')
}
