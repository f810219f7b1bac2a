import type { Metrics } from '../../../infra/ports/metrics.ts';

export const noMetrics: Metrics = {
  counter: () => ({ inc: () => undefined }),
  gauge: () => ({ set: () => undefined }),
  histogram: () => ({ observe: () => undefined }),
  values: async () => [],
};
