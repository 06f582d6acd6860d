import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { readIgnoreFile } from '../../../docs/read/read-docs-directory.ts'
import { type Files, listBelow } from '../../../files/files.ts'
import { baseName, decodePercent, joinPath, normalizePath, parentPath } from '../../../text/plain/paths.ts'
import { toSourceFile } from '../../../text/plain/source-file.ts'
import { cleanStylesheet } from '../../content/allowed/clean-stylesheet.ts'
import { articleClip, mayLeaveArticle } from '../../page/components/article-clip.ts'
import { hashForName, toAssetHref } from '../../page/site-context.ts'
import { adaptToThemes } from '../../page/theme/stylesheet-themes.ts'
import { assetType } from '../../plan/file-types.ts'
import type { SiteFile } from '../../plan/types.ts'

/** The stylesheets and scripts of a docs directory, which apply to every page. */
interface CustomFiles {
  readonly stylesheet: SiteFile | undefined
  /** The class names of the stylesheet. */
  readonly classes: ReadonlySet<string>
  /** Images and fonts of the stylesheet, relative to the docs directory. */
  readonly assets: readonly string[]
  readonly scripts: readonly SiteFile[]
  /** The stylesheet and the scripts. */
  readonly files: readonly SiteFile[]
  /** The text of each stylesheet as written, by its path relative to the docs directory. */
  readonly texts: ReadonlyMap<string, string>
  readonly findings: readonly Finding[]
}

interface CustomFilesOptions {
  /** The docs directory, relative to the boundary. */
  readonly root: string
  readonly base: string
  /** See `DocsDirectory`. */
  readonly configPath: string
  /** `site.scripts` of the configuration file. */
  readonly runsScripts: boolean
  /** Scripts that pages import. They are evaluated there, and do not run on every page. */
  readonly imported: ReadonlySet<string>
}

/** Limit for all stylesheets together, and for all scripts. */
const maxBytes = 2 * 1024 * 1024
/** Only the first removed parts of a stylesheet are reported. */
const maxProblems = 20

/** Reads all `.css` files of a docs directory and, if the configuration allows it, all `.js` files. Like Mintlify, needs no reference to them. */
export async function readCustomFiles(options: CustomFilesOptions, files: Files): Promise<CustomFiles> {
  const { root, base, configPath, runsScripts, imported } = options
  const { isIgnored } = await readIgnoreFile(root, files)
  const listed = await listBelow(root, files)
  const published = new Set(listed.filter((path) => !/(?:^|\/)(?:\.|node_modules\/)/.test(path) && !isIgnored(path)))
  const findings: Finding[] = []
  const read = async (paths: readonly string[]) => {
    const texts: { readonly path: string; readonly text: string }[] = []
    let left = maxBytes
    for (const path of paths) {
      const result = await files.read(joinPath(root, path), left)
      if (result.kind === 'file') {
        left -= result.bytes.length
        texts.push({ path, text: toSourceFile(path, result.bytes).text })
        continue
      }
      const message = `Cannot use \`${path}\`: it is not a readable file, or all files of its type have more than ${maxBytes / 1024 / 1024} MB`
      findings.push({ code: 'style-refused', message, file: joinPath(root, path), pointer: '', offsets: { start: 0, end: 0 } })
    }
    return texts
  }

  const classes = new Set<string>()
  const assets = new Set<string>()
  const cleaned: string[] = []
  const texts = new Map<string, string>()
  let mayLeave = false
  for (const { path, text } of await read([...published].filter((path) => /\.css$/i.test(path)).sort())) {
    texts.set(path, text)
    const toPath = (url: string) => toFilePath(url, path)
    const sheet = cleanStylesheet(text, {
      resolveUrl: (url) => {
        const target = toPath(url)
        const type = target === undefined || !published.has(target) ? undefined : assetType(target)
        if (target === undefined || (type !== 'inert' && type !== 'svg')) return undefined
        assets.add(target)
        return toAssetHref({ base }, target)
      },
      isOwnStylesheet: (url) => {
        const target = toPath(url)
        return target !== undefined && /\.css$/i.test(target) && published.has(target)
      },
      onDeclaration: (declaration) => {
        mayLeave ||= mayLeaveArticle(declaration)
      },
    })
    for (const name of sheet.classes) classes.add(name)
    for (const { message, start, end } of sheet.problems.slice(0, maxProblems))
      findings.push({ code: 'style-refused', message, file: joinPath(root, path), pointer: '', offsets: { start, end } })
    if (sheet.text !== '') cleaned.push(sheet.text)
  }

  const names = [...published].filter((path) => /\.js$/i.test(path) && !imported.has(path)).sort()
  const [first] = names
  if (first !== undefined && !runsScripts) {
    findings.push({
      code: 'script-not-run',
      message: `Cannot run ${names.length === 1 ? `\`${first}\`` : `\`${first}\` and ${names.length - 1} more`}: pages run only built-in scripts`,
      file: joinPath(root, first),
      pointer: '',
      offsets: { start: 0, end: 0 },
      hint: `If you trust the repository, set \`site: { scripts: true }\` in \`${baseName(configPath)}\``,
    })
  }
  const scripts = runsScripts ? (await read(names)).map(({ text }) => toFile(text, 'js')) : []
  const stylesheet =
    cleaned.length === 0 ? undefined : toFile((mayLeave ? articleClip : '') + adaptToThemes(cleaned.join('')), 'css')
  return {
    stylesheet,
    scripts,
    files: [...(stylesheet ? [stylesheet] : []), ...scripts],
    classes,
    assets: [...assets].sort(),
    texts,
    findings,
  }
}

/** The file that a URL in a stylesheet refers to; `undefined` if it is outside of the docs directory or on another host. */
function toFilePath(url: string, stylesheet: string): string | undefined {
  const path = decodePercent(url.trim().replace(/[?#].*$/s, ''))
  // Browsers read `\` as `/` and remove control characters.
  if (path === '' || /^[a-z][a-z0-9+.-]*:|^\/\/|[\\\0-\x1f]/i.test(path)) return undefined
  return normalizePath(path.startsWith('/') ? path.slice(1) : joinPath(parentPath(stylesheet), path))
}

/** The name has a hash only, because a written name could have any characters. */
function toFile(content: string, extension: 'css' | 'js'): SiteFile {
  return { path: `_assets/custom-${hashForName(content)}.${extension}`, content }
}
