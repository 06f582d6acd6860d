import type { AppContext, AppPart } from './app-context.ts'
import { createReconcilePart } from './reconcile/create-reconcile-part.ts'
import { createRunPart } from './run/create-run-part.ts'
import { createWebhooksPart } from './webhooks/create-webhooks-part.ts'

/** What runs beside the HTTP API: the webhooks that bring work, the comparison with GitHub, and the workers. */
export const appParts: readonly ((context: AppContext) => AppPart)[] = [
  createWebhooksPart(),
  createReconcilePart(),
  createRunPart(),
]
