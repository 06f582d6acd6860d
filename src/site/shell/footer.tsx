import { NamedIcon } from '../icons/named-icon.tsx'
import { settingsOf } from '../settings-of.ts'
import { resolveHref, type SiteContext } from '../site-context.ts'
import type { SitePage } from '../types.ts'

/** What docs.json puts under every page; nothing where it has nothing. */
export function Footer({ context, page }: { readonly context: SiteContext; readonly page: SitePage }) {
  const { socials, columns } = settingsOf(page, context.plan.settings).footer
  if (socials.length === 0 && columns.length === 0) return null
  return (
    <footer class="foot">
      <div class="wrap">
        {columns.map(({ header, links }) => (
          <nav aria-label={header === '' ? 'Links' : header}>
            {header !== '' && <h2>{header}</h2>}
            <ul>
              {links.map(({ label, href }) => (
                <li>
                  <a href={resolveHref(context, href, undefined)}>{label}</a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
        {socials.length > 0 && (
          <nav class="socials" aria-label="Elsewhere">
            <ul>
              {socials.map(({ label, href, icon }) => (
                <li>
                  <a href={resolveHref(context, href, undefined)}>
                    <NamedIcon name={icon} /> {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        )}
      </div>
    </footer>
  )
}
