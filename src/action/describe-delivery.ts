import type { Delivery, Operation } from './delivery/delivery.ts'

const words: { readonly [operation in Operation]: string } = {
  none: '',
  committed: '',
  superseded: '',
  'pull-request-created': 'Opened',
  'pull-request-updated': 'Updated',
  'pull-request-unchanged': 'Is up to date:',
  'pull-request-closed': 'Closed, as nothing is left to do:',
  'pull-request-kept': 'Left as it is:',
}

/** What became of the changes of a run, each line a sentence of ours with names in backticks. The commit is not among it. */
export function describeDelivery({ operation, pullRequest, notes }: Delivery): readonly string[] {
  const what = words[operation]
  const line = pullRequest && what !== '' ? [`${what} pull request #${pullRequest.number} (${pullRequest.url})`] : []
  return [...line, ...notes]
}
