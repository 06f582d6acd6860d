import { renderMessage, renderWordLink } from '../report/markdown.ts'
import type { Delivery } from './delivery/delivery.ts'
import { describeDelivery } from './describe-delivery.ts'

/** What became of the changes of a run, as paragraphs of Markdown. */
export function renderDelivery(delivery: Delivery): readonly string[] {
  const { pullRequest } = delivery
  const lines = describeDelivery({ ...delivery, pullRequest: undefined }).map(renderMessage)
  if (!pullRequest) return lines
  const [line] = describeDelivery({ ...delivery, notes: [] })
  const words = line?.slice(0, line.indexOf('pull request #')).trim() ?? ''
  return [`${words} ${renderWordLink(`pull request #${pullRequest.number}`, pullRequest.url)}.`.trim(), ...lines]
}
