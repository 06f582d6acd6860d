import { noTracing, type Tracing } from './tracing.ts'

/**
 * Starts tracing if the standard variables of OpenTelemetry ask for it. Otherwise none of its packages are loaded.
 *
 * @param warn Receives problems of the exporter, such as an unreachable receiver.
 */
export async function startTracing(
  env: Readonly<Record<string, string | undefined>>,
  warn: (message: string) => void,
): Promise<Tracing> {
  const exporter = env['OTEL_TRACES_EXPORTER']?.trim()
  const hasEndpoint = Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'])
  const isWanted = exporter ? exporter === 'otlp' : hasEndpoint
  if (!isWanted || env['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return noTracing
  const { createTracing } = await import('./open-telemetry.ts')
  return createTracing(warn)
}
