import type { Telemetry } from '../telemetry/create-telemetry.ts';
import { productVersion } from './product-version.ts';
import type { Runtime } from './runtime.ts';

/** Read from the disk only where a collector is configured; null otherwise. */
export const openTelemetry = async (runtime: Runtime, name: string): Promise<Telemetry | null> => {
  const { config, logger, metrics } = runtime;
  if (config.otelEndpoint === null) return null;
  const { createTelemetry } = await import('../telemetry/create-telemetry.ts');
  return createTelemetry({
    process: name,
    version: productVersion(),
    samplingRatio: config.otelSamplingRatio,
    metrics,
    logger,
  });
};
