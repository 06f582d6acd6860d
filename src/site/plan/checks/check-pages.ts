import type { Finding } from '../../../diagnostics/diagnostic.ts'
import { type DocsConfig, describeValue, parseRedirectTarget } from '../../../docs/navigation/docs-config.ts'
import { locateFrontmatterValue } from '../../../docs/pages/page-bindings.ts'
import { valueAtPointer } from '../../../text/json/json-values.ts'
import { isAllowedUrl } from '../../../text/plain/paths.ts'
import { readBoost } from '../plan-navigation-tree.ts'
import type { SitePage } from '../types.ts'

/**
 * Reports frontmatter that a site cannot use: invalid YAML, a `url` that redirects nowhere, and a `boost` that is no number. Also an `api` that names no
 * operation: its page is shown as a guide. `check-key-support.ts` reports keys without effect.
 *
 * @param textOf returns the text of a page.
 * @param prefix The docs directory with a final slash, or `''`.
 */
export function checkPages(
  pages: readonly SitePage[],
  { textOf, prefix }: { readonly textOf: (path: string) => string | undefined; readonly prefix: string },
): Finding[] {
  return pages.flatMap(({ path, subject, frontmatter: { api, boost, url }, frontmatterError }) => {
    if (path === undefined) return []
    const findings: Finding[] = []
    const file = prefix + path
    const at = (key: string) => {
      const offsets = locateFrontmatterValue(textOf(path) ?? '', key)
      return offsets && { offsets }
    }
    if (boost !== undefined && readBoost(boost) === undefined)
      findings.push({ ...describeBoost(boost), file, pointer: '', ...at('boost') })
    if (frontmatterError) findings.push({ code: 'page-frontmatter', file, pointer: '', ...frontmatterError })
    if (typeof url === 'string' && url.trim() !== '' && !(isAllowedUrl(url, 'link') && parseRedirectTarget(url.trim()))) {
      findings.push({
        code: 'redirect-target',
        message: `Unexpected \`url\` \`${url.trim().slice(0, 200)}\`: it is neither a path nor an \`https\` URL, so the page redirects nowhere`,
        file,
        pointer: '',
        hint: 'Change `url` to a path such as `/guide`, or to a URL that starts with `https://`',
      })
    }
    if (subject.kind === 'guide' && api !== undefined && api !== null) {
      const found = typeof api === 'string' ? `\`${api.slice(0, 200)}\`` : describeValue(api)
      findings.push({
        code: 'binding-syntax',
        message: `Unexpected ${found} for \`api\`, expected a method and a path or URL`,
        file,
        pointer: '/api',
        ...at('api'),
        hint: 'Use a value such as `api: GET /pets` or `api: GET https://api.example.com/pets`',
      })
    }
    return findings
  })
}

/** Reports each `boost` of a group in `docs.json` that is no number. */
export function checkGroupBoosts({ divisions, value, source }: DocsConfig): Finding[] {
  return divisions.flatMap(({ kind, keys, pointer: division }) => {
    const pointer = `${division}/boost`
    const boost = valueAtPointer(value, pointer)
    const isWrong = kind === 'group' && keys.includes('boost') && readBoost(boost) === undefined
    return isWrong ? [{ ...describeBoost(boost), file: source.path, pointer }] : []
  })
}

function describeBoost(boost: unknown) {
  const found =
    typeof boost === 'string' || typeof boost === 'number' ? `\`${String(boost).slice(0, 50)}\`` : describeValue(boost)
  const message = `Unexpected ${found} for \`boost\`, expected a number above 0`
  return { code: 'setting-not-used', severity: 'warning', message } as const
}
