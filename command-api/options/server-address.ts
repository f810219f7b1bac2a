import type { SiteOptions } from './site-options.ts';

const usual = 'http://localhost:3000';

/** Where the product answers, for links that leave it; never taken from a request. */
export const serverAddress = async (options: SiteOptions): Promise<string> =>
  (await options.text('ServerAddress')) || usual;
