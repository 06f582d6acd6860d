import type { AppContext, AppPart } from './app-context.ts'
import { createReconcilePart } from './reconcile/reconcile-part.ts'
import { createRunPart } from './run/work-queue.ts'
import { createWebhooksPart } from './webhooks/webhooks-part.ts'

/** What runs beside the HTTP API: the webhooks that bring work, the comparison with GitHub, and the workers. */
export const appParts: readonly ((context: AppContext) => AppPart)[] = [
  createWebhooksPart(),
  createReconcilePart(),
  createRunPart(),
]
