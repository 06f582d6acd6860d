/** What one archive may cost. Each is a setting; going over one ends the run with its reason. */
export interface ArchiveLimits {
  /** Bytes as they come from GitHub. */
  readonly compressedBytes: number
  /** Bytes once expanded, of all files, kept or not. */
  readonly expandedBytes: number
  /** How many times larger it may get once it is over 16 MiB: a bomb is a thousand times larger than it looks. */
  readonly ratio: number
  /** Files, folders and links together. */
  readonly entries: number
  /** Files that are kept. */
  readonly keptFiles: number
  readonly keptBytes: number
  /** A larger file is left out and reported, the rest is read. */
  readonly fileBytes: number
  /** From the request to the last byte. */
  readonly timeMs: number
}

/** @see ArchiveLimits */
export const defaultArchiveLimits: ArchiveLimits = {
  compressedBytes: 512 * 1024 ** 2,
  expandedBytes: 4 * 1024 ** 3,
  ratio: 250,
  entries: 500_000,
  keptFiles: 50_000,
  keptBytes: 512 * 1024 ** 2,
  fileBytes: 64 * 1024 ** 2,
  timeMs: 300_000,
}
