/** The steps of the demo, as far as other scripts use them. */
export const steps: readonly {
  readonly title: string
  /** Changes `openapi.yaml` before the push of the step. */
  readonly edit?: (text: string) => string
}[]
