/** Options that every command has. */
export interface CommonOptions {
  readonly format: 'text' | 'json'
  /** Only findings and errors: no progress, no closing lines. */
  readonly quiet: boolean
  /** Instead of the work tree, a folder that nothing may be read outside of; as the person wrote it. */
  readonly boundary?: string
  readonly allowHttp: boolean
  readonly all: boolean
  /** Absent where neither `--color` nor `--no-color` is given. */
  readonly color?: boolean
}

export interface CheckCommandOptions extends Omit<CommonOptions, 'format'> {
  readonly format: 'text' | 'json' | 'github' | 'sarif'
  /** The file that takes what would go to stdout. */
  readonly output?: string
  /** The file with known problems; absent where the configuration file decides. */
  readonly baseline?: string
  /** Make all problems known before they are reported. */
  readonly writeBaseline?: boolean
  /** The name of what `-` reads: where its references start from, and what findings say. */
  readonly stdinPath?: string
}

export interface BundleCommandOptions extends Omit<CommonOptions, 'format'> {
  /** Absent where the name of the output or the entry document tells. */
  readonly format?: 'json' | 'yaml'
  readonly output?: string
}

export interface OpenApiFileCommandOptions extends CommonOptions {
  readonly outDir?: string
  readonly writeFiles: boolean
  readonly overwrite: boolean
  /** One page per schema too. */
  readonly schemas: boolean
}

export interface UpdateCommandOptions extends CommonOptions {
  readonly check: boolean
  readonly dryRun: boolean
  /** False with `--no-renames`; else the configuration file decides. */
  readonly renames: boolean
  /** `update.onError: operation`, whatever the configuration file says. */
  readonly keepGoing?: boolean
}

export interface WaitCommandOptions {
  readonly format: 'text' | 'json'
  readonly quiet: boolean
  /** Absent where neither `--color` nor `--no-color` is given. */
  readonly color?: boolean
  /** Absent where the environment has it. */
  readonly url?: string
  readonly token?: string
  readonly timeout?: string
  readonly sha?: string
  readonly project?: string
}

export interface BuildCommandOptions extends CommonOptions {
  /** False with `--no-cache`: every page is rendered. */
  readonly cache: boolean
  readonly output?: string
  /** Also into a folder with other files in it, and over files that somebody changed. */
  readonly force: boolean
  readonly base?: string
  readonly url?: string
}

export interface PreviewCommandOptions extends Omit<CommonOptions, 'format'> {
  readonly port?: string
  readonly host?: string
  /** Open a browser. */
  readonly open: boolean
}

export type AdoptCommandOptions = UpdateCommandOptions

export type StatusCommandOptions = CommonOptions

export interface VirtualCommandOptions extends CommonOptions {
  readonly dryRun: boolean
}
