import { type ComponentChild, h } from 'preact'
import type { SiteDomain } from '../../store/sites/domain-store.ts'
import { isPublicSite } from '../../store/sites/stored-sites.ts'
import { formatDate } from '../pages/elements.ts'
import { toDnsRecords } from '../sites/custom-domains.ts'
import { domainGraceDays } from '../sites/domain-checks.ts'
import { actionForm } from './dashboard-elements.ts'
import { definitions, type SettingsPage, textField } from './settings-elements.ts'
import { toProjectPath, type Visit } from './visit.ts'

/** The custom domain of a project: its DNS records until it is verified. */
export function domainSection({ context }: Visit, { project, domain, mistake }: SettingsPage): ComponentChild {
  const place = context.sitesPlace()
  if (!place) return undefined
  const path = `${toProjectPath(project)}/domain`
  const records = domain && toDnsRecords(domain, project.subdomain, place)
  const isGood = domain?.verifiedAt !== undefined && domain.failingSince === undefined
  const code = (text: string) => h('code', null, text)
  const record = ({ name, value }: { name: string; value: string }) => [code(name), h('br', null), 'with the value ', code(value)]
  return h(
    'section',
    { 'data-part': 'domain' },
    h('h2', null, 'Custom domain'),
    domain &&
      records && [
        h(
          'p',
          { class: 'hint' },
          code(domain.domain),
          h(
            'span',
            { class: isGood ? 'tag is-success' : 'tag is-warning' },
            isGood ? 'Verified' : domain.verifiedAt ? 'Wrong DNS records' : 'Not verified',
          ),
        ),
        domain.failingSince !== undefined && h('p', { class: 'note is-warning' }, describeFailure(domain, domain.failingSince)),
        !isPublicSite(project) &&
          h('p', { class: 'note is-warning' }, 'Visitors see the site at this domain only if everyone can read the site.'),
        !isGood &&
          h('p', { class: 'hint' }, 'Create these records in the DNS of the domain. New records can take an hour to be visible.'),
        definitions([
          ['TXT record', record(records.txt)],
          ['CNAME record', record(records.cname)],
        ]),
        mistake?.dns !== undefined && h('p', { class: 'mistake', role: 'alert' }, `${mistake.dns}.`),
        h(
          'div',
          { class: 'acts' },
          !isGood && actionForm({ action: `${path}/verify`, label: 'Verify', of: domain.domain, isMain: true }),
          actionForm({ action: `${path}/remove`, label: 'Remove', of: domain.domain }),
        ),
      ],
    !domain &&
      h(
        'form',
        { class: 'settings', method: 'post', action: path },
        textField({
          name: 'domain',
          label: 'Domain',
          value: '',
          hint: 'Such as docs.example.com. The proxy in front of this server needs a certificate for it.',
          mistake: mistake?.domain,
        }),
        h('p', { class: 'acts' }, h('button', { class: 'button quiet', type: 'submit' }, 'Add domain')),
      ),
  )
}

function describeFailure({ verifiedAt }: SiteDomain, failingSince: string): string {
  if (!verifiedAt) {
    return `The DNS records were wrong for ${domainGraceDays} days, so the domain is no longer served. Correct them and verify the domain again.`
  }
  const end = new Date(Date.parse(failingSince) + domainGraceDays * 24 * 3_600_000).toISOString()
  return `The DNS records have been wrong since ${formatDate(failingSince)}. If they stay wrong, the domain is not served after ${formatDate(end)}.`
}
