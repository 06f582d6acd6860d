/** The steps of the demo, with the fields that other scripts use. */
export const steps: readonly {
  readonly title: string
  /** Changes `openapi.yaml` before the push of the step. */
  readonly edit?: (text: string) => string
}[]
