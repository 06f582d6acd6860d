import type { Project } from '../../../status/update-record.ts'
import { isPublicSite, type SiteDomain } from '../../../store/sites/stored-sites.ts'
import { domainGraceDays, toDnsRecords } from '../../sites/custom-domains.ts'
import { DescriptionList } from '../pages/elements.tsx'
import { formatDate } from '../pages/formats.ts'
import { ActionForm, SubmitLine, TextField } from '../pages/forms.tsx'
import { toProjectPath, type Visit } from './visit.ts'

interface DomainSectionProps {
  readonly visit: Visit
  readonly project: Project
  readonly domain: SiteDomain | undefined
  /** Why a submitted domain or its DNS records were rejected. */
  readonly mistake: { readonly domain?: string; readonly dns?: string } | undefined
}

/** The custom domain of a project: its DNS records until it is verified. */
export function DomainSection({ visit, project, domain, mistake }: DomainSectionProps) {
  const place = visit.context.urls.sites()
  if (!place) return null
  const path = `${toProjectPath(project)}/domain`
  return (
    <section data-part="domain">
      <h2>Custom domain</h2>
      {domain ? (
        <CustomDomain
          path={path}
          domain={domain}
          records={toDnsRecords(domain, project.subdomain, place)}
          isPublic={isPublicSite(project)}
          mistake={mistake?.dns}
        />
      ) : (
        <form class="settings" method="post" action={path}>
          <TextField
            name="domain"
            label="Domain"
            value=""
            hint="Such as docs.example.com. The proxy in front of this server needs a certificate for it."
            mistake={mistake?.domain}
          />
          <SubmitLine label="Add domain" />
        </form>
      )}
    </section>
  )
}

interface CustomDomainProps {
  readonly path: string
  readonly domain: SiteDomain
  readonly records: ReturnType<typeof toDnsRecords>
  readonly isPublic: boolean
  readonly mistake: string | undefined
}

function CustomDomain({ path, domain, records, isPublic, mistake }: CustomDomainProps) {
  const isGood = domain.verifiedAt !== undefined && domain.failingSince === undefined
  return (
    <>
      <p class="hint">
        <code>{domain.domain}</code>
        <span class={isGood ? 'tag is-success' : 'tag is-warning'}>
          {isGood ? 'Verified' : domain.verifiedAt ? 'Wrong DNS records' : 'Not verified'}
        </span>
      </p>
      {domain.failingSince !== undefined && <p class="note is-warning">{describeFailure(domain, domain.failingSince)}</p>}
      {!isPublic && <p class="note is-warning">Visitors see the site at this domain only if everyone can read the site.</p>}
      {!isGood && <p class="hint">Create these records in the DNS of the domain. New records can take an hour to be visible.</p>}
      <DescriptionList
        class="values"
        rows={[
          ['TXT record', <DnsRecord {...records.txt} />],
          ['CNAME record', <DnsRecord {...records.cname} />],
        ]}
      />
      {mistake !== undefined && (
        <p class="mistake" role="alert">
          {mistake}.
        </p>
      )}
      <div class="acts">
        {!isGood && <ActionForm action={`${path}/verify`} label="Verify" of={domain.domain} kind="main" />}
        <ActionForm action={`${path}/remove`} label="Remove" of={domain.domain} />
      </div>
    </>
  )
}

function DnsRecord({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <>
      <code>{name}</code>
      <br />
      with the value <code>{value}</code>
    </>
  )
}

function describeFailure({ verifiedAt }: SiteDomain, failingSince: string): string {
  if (!verifiedAt) {
    return `The DNS records were wrong for ${domainGraceDays} days, so the domain is no longer served. Correct them and verify the domain again.`
  }
  const end = new Date(Date.parse(failingSince) + domainGraceDays * 24 * 3_600_000).toISOString()
  return `The DNS records have been wrong since ${formatDate(failingSince)}. If they stay wrong, the domain is not served after ${formatDate(end)}.`
}
