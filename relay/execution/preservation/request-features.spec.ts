import { requestContent } from './request-content.spec.ts';
import type { RequestFeature } from './request-options.spec.ts';
import { requestSettings } from './request-settings.spec.ts';
import { requestTools } from './request-tools.spec.ts';

/** What a caller may request. */
export const requestFeatures: readonly RequestFeature[] = [
  ...requestSettings,
  ...requestTools,
  ...requestContent,
];
