import { requestContent } from './request-content.ts';
import type { RequestFeature } from './request-options.ts';
import { requestSettings } from './request-settings.ts';
import { requestTools } from './request-tools.ts';

/** What a caller may request. */
export const requestFeatures: readonly RequestFeature[] = [
  ...requestSettings,
  ...requestTools,
  ...requestContent,
];
