import { formatCount } from '../../diagnostics/diagnostic.ts'
import { type RuleCount, sumRuleCount } from '../../store/rule-count-store.ts'
import { DescriptionList, Heading, LinkButton, Pager } from '../pages/elements.tsx'
import { formatDay } from '../pages/formats.ts'
import { organizationRepository, toProjectName } from '../run/run-context.ts'
import type { Scorecard, ScoreRow } from './scorecard.ts'
import { toProjectPath, type Visit } from './visit.ts'

/** The number of rules that get a column. The CSV has all of them. */
const shownColumns = 8
const shownRules = 100

interface RulesContentProps {
  readonly visit: Visit
  readonly owner: string
  /** The path of the ruleset. `undefined` if this server reads none. */
  readonly path: string | undefined
  readonly scorecard: Scorecard
  /** The rows of this page. */
  readonly rows: readonly ScoreRow[]
  /** The number of projects of the organization that the user may read. */
  readonly projectCount: number
  /** Whether the user may read the repository with the ruleset, and thus the problems of the ruleset. */
  readonly seesRuleset: boolean
  readonly page: number
  readonly pages: number
}

/** The page of an organization's rules. */
export function RulesContent(props: RulesContentProps) {
  const { visit, owner, path, scorecard, rows, projectCount, page, pages } = props
  const { ruleset } = scorecard
  if (path === undefined || !ruleset) return <NoRules owner={owner} path={path} />
  const unchecked = projectCount - scorecard.rows.length
  return (
    <>
      <div class="title">
        <h1>Rules of {owner}</h1>
        <span class="acts">
          <LinkButton href={`${toRulesPath(owner)}/scorecard.csv`}>Download CSV</LinkButton>
        </span>
      </div>
      <p class="lead">
        Problems that the default branches have with the rules in{' '}
        <RulesetLink visit={visit} ruleset={ruleset} seesRuleset={props.seesRuleset} />.
      </p>
      {ruleset.problemCount > 0 && <RulesetProblems seesRuleset={props.seesRuleset} ruleset={ruleset} />}
      <Facts visit={visit} scorecard={scorecard} />
      <section>
        <Heading id="repositories" label="Repositories" count={scorecard.rows.length} />
        <ScoreTable scorecard={scorecard} rows={rows} />
        <Pager path={toRulesPath(owner)} page={page} pages={pages} />
        {unchecked > 0 && (
          <p class="empty">
            {formatCount(unchecked, 'other project')} {unchecked === 1 ? 'is' : 'are'} not listed: the rules do not apply to them,
            or nothing was pushed to their default branch since the rules exist.
          </p>
        )}
      </section>
      <RuleList scorecard={scorecard} />
    </>
  )
}

type Ruleset = NonNullable<Scorecard['ruleset']>

type RulesetProps = Pick<RulesContentProps, 'visit' | 'seesRuleset'> & { readonly ruleset: Ruleset }

function RulesetLink({ visit, ruleset: { name, path, sha }, seesRuleset }: RulesetProps) {
  const text = `${path} of ${name}`
  if (!seesRuleset) return <>{text}</>
  const file = path.split('/').map(encodeURIComponent).join('/')
  return <a href={`${visit.context.config.githubUrl}/${name}/blob/${sha}/${file}`}>{text}</a>
}

function RulesetProblems({ ruleset, seesRuleset }: Omit<RulesetProps, 'visit'>) {
  const { problems, problemCount, name, ruleCount } = ruleset
  const effect = ruleCount === 0 ? 'No rule is applied' : 'The other rules are applied'
  return (
    <div class="note is-warning" role="alert">
      The ruleset has {formatCount(problemCount, 'problem')}. {effect}.
      {seesRuleset ? (
        problems.map((problem) => (
          <p class="message">
            <bdi>{problem}</bdi>
          </p>
        ))
      ) : (
        <p class="message">People with access to {name} see the details.</p>
      )}
    </div>
  )
}

function Facts({ visit, scorecard: { rows, ruleset } }: { readonly visit: Visit; readonly scorecard: Scorecard }) {
  const total = rows.reduce((sum, row) => sum + sumRuleCount(row.sum), 0)
  const errors = rows.reduce((sum, row) => sum + row.sum.errors, 0)
  const compared = rows.flatMap(({ change }) => change ?? [])
  const until = ruleset?.newOnlyUntil
  const isNewOnly = until === undefined ? ruleset?.isNewOnly : visit.now.toISOString().slice(0, 10) < until
  const change = compared.reduce((sum, one) => sum + one, 0)
  const facts = [
    ['Problems', total.toLocaleString('en-US')],
    ['Errors', errors.toLocaleString('en-US')],
    ['Change in 30 days', compared.length === 0 ? 'Not known yet' : <Change change={change} />],
    ['Rules', (ruleset?.ruleCount ?? 0).toLocaleString('en-US')],
    ['Checks report', isNewOnly ? `Only new problems${until === undefined ? '' : ` until ${formatDay(until)}`}` : 'All problems'],
  ] as const
  return <DescriptionList class="facts" rows={facts} />
}

function ScoreTable({ scorecard, rows }: Pick<RulesContentProps, 'scorecard' | 'rows'>) {
  const columns = scorecard.rules.slice(0, shownColumns)
  const hasOthers = scorecard.rules.length > columns.length
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <div class="scores" role="group" aria-label="Scorecard" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Repository</th>
            <th scope="col">Problems</th>
            <th scope="col">30 days</th>
            {columns.map(({ name }) => (
              <th scope="col">
                <bdi>{name}</bdi>
              </th>
            ))}
            {hasOthers && <th scope="col">Other rules</th>}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                <a href={toProjectPath(row.project)}>{toProjectName(row.project)}</a>
                <small>
                  {row.counted.ruleset.ruleCount === 0 ? 'No rules applied' : `Checked ${formatDay(row.counted.day)}`}
                </small>
              </th>
              <CountCell counts={row.sum} />
              <td>
                <Change change={row.change} since={row.counted.earlier?.day} />
              </td>
              {columns.map(({ name }) => (
                <CountCell counts={row.byRule.get(name) ?? zero} />
              ))}
              {hasOthers && <CountCell counts={sumOthers(row, columns)} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const zero: Omit<RuleCount, 'rule'> = { errors: 0, warnings: 0, infos: 0 }

function sumOthers({ sum, byRule }: ScoreRow, columns: Scorecard['rules']): Omit<RuleCount, 'rule'> {
  return columns.reduce((left, { name }) => {
    const { errors, warnings, infos } = byRule.get(name) ?? zero
    return { errors: left.errors - errors, warnings: left.warnings - warnings, infos: left.infos - infos }
  }, sum)
}

/** The number of problems in the color of the highest severity, which screen readers and tooltips name. */
function CountCell({ counts }: { readonly counts: Omit<RuleCount, 'rule'> }) {
  const { errors, warnings, infos } = counts
  const total = sumRuleCount(counts)
  if (total === 0) return <td class="is-none">0</td>
  const parts = [
    errors > 0 ? formatCount(errors, 'error') : [],
    warnings > 0 ? formatCount(warnings, 'warning') : [],
    infos > 0 ? formatCount(infos, 'info') : [],
  ].flat()
  const state = errors > 0 ? 'is-error' : warnings > 0 ? 'is-warning' : 'is-info'
  return (
    <td class={state} title={parts.join(', ')}>
      {total.toLocaleString('en-US')}
      <span class="hidden">: {parts.join(', ')}</span>
    </td>
  )
}

interface ChangeProps {
  readonly change: number | undefined
  readonly since?: string | undefined
}

/** `+3` in red or `−12` in green. */
function Change({ change, since }: ChangeProps) {
  if (change === undefined) return <span class="is-none">New</span>
  const title = since === undefined ? undefined : `Since ${formatDay(since)}`
  if (change === 0) return <span title={title}>±0</span>
  const amount = Math.abs(change).toLocaleString('en-US')
  return (
    <span class={change > 0 ? 'change is-error' : 'change is-success'} title={title}>
      {change > 0 ? `+${amount}` : `−${amount}`}
    </span>
  )
}

function RuleList({ scorecard: { rules, rows } }: { readonly scorecard: Scorecard }) {
  return (
    <section>
      <Heading id="rules" label="Rules with problems" count={rules.length} />
      {rules.length === 0 && <p class="empty">No problems. All listed repositories follow the rules.</p>}
      <ul class="list plain-list">
        {rules.slice(0, shownRules).map(({ name, sum, projectCount }) => (
          <li>
            <span>
              <bdi class="mono">{name}</bdi>
              <small>
                In {projectCount.toLocaleString('en-US')} of {formatCount(rows.length, 'repository', 'repositories')}
              </small>
            </span>
            <span class={`tag numeric ${sum.errors > 0 ? 'is-error' : sum.warnings > 0 ? 'is-warning' : 'is-info'}`}>
              {formatCount(sumRuleCount(sum), 'problem')}
            </span>
          </li>
        ))}
      </ul>
      {rules.length > shownRules && <p class="empty">The CSV has all rules.</p>}
    </section>
  )
}

function NoRules({ owner, path }: Pick<RulesContentProps, 'owner' | 'path'>) {
  return (
    <>
      <h1>Rules of {owner}</h1>
      {path === undefined ? (
        <p class="empty">This server applies no rules of organizations (ORGANIZATION_RULESET=off).</p>
      ) : (
        <>
          <p class="lead">
            No rules yet. They apply to all repositories of {owner}, and this page shows how far each follows them.
          </p>
          <p class="empty">
            Add the Spectral ruleset <code>{path}</code> to the default branch of{' '}
            <code>
              {owner}/{organizationRepository}
            </code>
            , and install the app on this repository. The next push to a repository applies the rules. If they exist already, push
            to a default branch, or run its newest update again.
          </p>
        </>
      )}
    </>
  )
}

/** The list of organizations, if there are several. */
export function OrganizationList({ counts }: { readonly counts: ReadonlyMap<string, number> }) {
  return (
    <>
      <h1>Rules</h1>
      {counts.size === 0 && <p class="empty">You have no projects yet.</p>}
      <ul class="list plain-list">
        {[...counts].map(([owner, count]) => (
          <li>
            <span>
              <a href={toRulesPath(owner)}>{owner}</a>
            </span>
            <span class="when">{formatCount(count, 'project')}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

export function toRulesPath(owner: string): string {
  return `/rules/${encodeURIComponent(owner)}`
}
