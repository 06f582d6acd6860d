import { type ComponentChild, h } from 'preact'
import { isPublicSite } from '../../store/stored-sites.ts'
import { toDnsRecords } from '../sites/custom-domains.ts'
import { actionForm } from './dashboard-elements.ts'
import { definitions, type SettingsPage, textField } from './settings-elements.ts'
import { toProjectPath, type Visit } from './visit.ts'

/** The custom domain of a project: its DNS records until it is verified. */
export function domainSection({ context }: Visit, { project, domain, mistake }: SettingsPage): ComponentChild {
  const place = context.sitesPlace()
  if (!place) return undefined
  const path = `${toProjectPath(project)}/domain`
  const records = domain && toDnsRecords(domain, project.subdomain, place)
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
            { class: domain.verifiedAt ? 'tag is-success' : 'tag is-warning' },
            domain.verifiedAt ? 'Verified' : 'Not verified',
          ),
        ),
        !isPublicSite(project) &&
          h('p', { class: 'note is-warning' }, 'Visitors see the site at this domain only if everyone can read the site.'),
        !domain.verifiedAt &&
          h('p', { class: 'hint' }, 'Create these records in the DNS of the domain. New records can take an hour to be visible.'),
        definitions([
          ['TXT record', record(records.txt)],
          ['CNAME record', record(records.cname)],
        ]),
        mistake?.dns !== undefined && h('p', { class: 'mistake', role: 'alert' }, `${mistake.dns}.`),
        h(
          'div',
          { class: 'acts' },
          !domain.verifiedAt && actionForm({ action: `${path}/verify`, label: 'Verify', of: domain.domain, isMain: true }),
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
